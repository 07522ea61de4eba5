import { createHash } from 'node:crypto';
import { MAIL_FILE } from '../../contract/sign-in.ts';
import { COMMAND } from '../settings.ts';

const STYLE = `
  :root { color-scheme: light dark; --page: #f4f5f3; --card: #fff; --ink: #1b2321; --soft: #56625e; --line: #87928e; --edge: #dfe3e0; --act: #1a5d53; --act-ink: #fff; --bad: #a3262b; }
  @media (prefers-color-scheme: dark) { :root { --page: #131716; --card: #1b2120; --ink: #e8ecea; --soft: #a3b0ab; --line: #6f7c78; --edge: #2c3532; --act: #7fcdb9; --act-ink: #0e1917; --bad: #ff9d98; } }
  * { box-sizing: border-box; }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem 1rem; background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
  main { width: 100%; max-width: 23rem; padding: 2rem; background: var(--card); border: 1px solid var(--edge); border-radius: 12px; }
  .mark { display: flex; align-items: center; gap: 0.625rem; margin: -2rem -2rem 1.5rem; padding: 1.125rem 2rem; border-radius: 11px 11px 0 0; background: #10302b; color: #fff; font: 600 1.375rem/1.3 'Iowan Old Style', 'Palatino Linotype', 'URW Palladio L', P052, 'Noto Serif', Georgia, 'DejaVu Serif', serif; }
  h1 { margin: 0 0 1rem; font-size: 1.125rem; font-weight: 600; }
  label { display: block; margin: 1rem 0 0.375rem; font-size: 0.875rem; font-weight: 600; }
  input { width: 100%; padding: 0.625rem 0.75rem; border: 1px solid var(--line); border-radius: 8px; background: var(--page); color: inherit; font: inherit; }
  input:focus-visible, button:focus-visible, a:focus-visible { outline: 3px solid var(--act); outline-offset: 2px; }
  button { width: 100%; margin-top: 1.5rem; padding: 0.6875rem; border: 0; border-radius: 8px; background: var(--act); color: var(--act-ink); font: inherit; font-weight: 600; cursor: pointer; }
  a { color: var(--act); }
  .error { margin: 0; padding: 0.625rem 0.75rem; border-left: 3px solid var(--bad); color: var(--bad); font-size: 0.9375rem; }
  .hint { margin: 1.25rem 0 0; color: var(--soft); font-size: 0.875rem; }
  code { font: 0.9375em ui-monospace, monospace; white-space: nowrap; }
`;

const SUBMIT = "document.querySelector('button').click();";

const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The headers of every page of the provider. Only this style and this script may run; the icon is the site's. */
export const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src ${digest(STYLE)}`,
    `script-src ${digest(SUBMIT)}`,
    "img-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cache-control': 'no-store',
  // Forms must name their origin, which "no-referrer" would hide.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Cuevault</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="mark"><svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true"><rect x="1.5" y="1.5" width="29" height="29" rx="7" fill="none" stroke="#67a399" stroke-width="1.5"/><circle cx="16" cy="13" r="6" fill="#e9bb57"/><path d="M16 19v7" stroke="#e9bb57" stroke-width="4" stroke-linecap="round"/></svg>Cuevault</p>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;

const errorOf = (message: string | undefined): string =>
  message === undefined ? '' : `<p class="error" id="error" role="alert">${escaped(message)}</p>`;

const described = (message: string | undefined): string =>
  message === undefined ? '' : ' aria-describedby="error" aria-invalid="true"';

/** The sign-in form. `email` is the previous input, `message` says why it failed. */
export const signInPage = (action: string, email = '', message?: string, isCompany = false): string =>
  page(
    isCompany ? 'Sign in at the company' : 'Sign in',
    `<form method="post" action="${escaped(action)}">
${errorOf(message)}
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" value="${escaped(email)}" autocomplete="username" required${email === '' ? ' autofocus' : ''}${described(message)}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${email === '' ? '' : ' autofocus'}${described(message)}>
<button type="submit">Sign in</button>
</form>
<p class="hint">The passwords of this installation are in its data folder, whose place <code>${COMMAND}</code> has printed: those of the first operators in <code>first-run.json</code>, temporary ones in <code>${MAIL_FILE}</code>.</p>`,
  );

/** Submits the form that ends the session, immediately if scripts run. `form` comes from the provider. */
export const signOutPage = (form: string): string =>
  page(
    'Signing out',
    `${form}
<button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>
<script>${SUBMIT}</script>`,
  );

/** Shows a message and a link back to the site. */
export const messagePage = (title: string, message: string): string =>
  page(title, `<p>${escaped(message)}</p>\n<p><a href="/">Back to Cuevault</a></p>`);
