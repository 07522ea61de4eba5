import { createHash } from 'node:crypto';
import { COMMAND } from '../settings.ts';
import type { CompanyPerson } from './company.ts';
import { LINK_EXCHANGE, LINK_FILE } from './paths.ts';

const STYLE = `
  :root { color-scheme: light dark; --page: #f4f5f3; --card: #fff; --ink: #1b2321; --soft: #56625e; --line: #87928e; --edge: #dfe3e0; --act: #1a5d53; --act-ink: #fff; }
  @media (prefers-color-scheme: dark) { :root { --page: #131716; --card: #1b2120; --ink: #e8ecea; --soft: #a3b0ab; --line: #6f7c78; --edge: #2c3532; --act: #7fcdb9; --act-ink: #0e1917; } }
  * { box-sizing: border-box; }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem 1rem; background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
  main { width: 100%; max-width: 23rem; padding: 2rem; background: var(--card); border: 1px solid var(--edge); border-radius: 12px; }
  .mark { display: flex; align-items: center; gap: 0.625rem; margin: -2rem -2rem 1.5rem; padding: 1.125rem 2rem; border-radius: 11px 11px 0 0; background: #10302b; color: #fff; font-size: 1.375rem; font-weight: 600; }
  h1 { margin: 0 0 1rem; font-size: 1.125rem; font-weight: 600; }
  button:focus-visible, a:focus-visible { outline: 3px solid var(--act); outline-offset: 2px; }
  button { width: 100%; margin-top: 1.5rem; padding: 0.6875rem; border: 0; border-radius: 8px; background: var(--act); color: var(--act-ink); font: inherit; font-weight: 600; cursor: pointer; }
  a { color: var(--act); }
  code { font: 0.9375em ui-monospace, monospace; white-space: nowrap; }
`;

const SUBMIT = "document.querySelector('button').click();";

const OPEN = `
  const value = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
  fetch('${LINK_EXCHANGE}', { method: 'POST', body: value }).then(({ ok }) => {
    if (ok) location.replace('/');
    else document.querySelector('p[hidden]').hidden = false;
  });
`;

const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The headers of every page of the provider. Only this style and these scripts may run; the icon is the site's. */
export const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src ${digest(STYLE)}`,
    `script-src ${digest(SUBMIT)} ${digest(OPEN)}`,
    "connect-src 'self'",
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

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

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

/** Signs in with the value of the address: takes it out of there first, and leads to the site. */
export const linkPage = (): string =>
  page(
    'Sign in',
    `<p hidden>This link is no longer valid, because each start makes a new one: open the one that <code>${COMMAND}</code> has printed last.</p>
<script>${OPEN}</script>`,
  );

/** Says how to sign in. */
export const closedPage = (): string =>
  page(
    'Sign in',
    `<p>Open the link that <code>${COMMAND}</code> has printed. It is also in the file <code>${LINK_FILE}</code> of the data folder.</p>`,
  );

/** The sign-in page of the company: one button for each person. */
export const companyPage = (action: string, people: readonly CompanyPerson[]): string =>
  page(
    'Sign in at the company',
    `<form method="post" action="${escaped(action)}">
${people.map(({ sub, email }) => `<button name="sub" value="${escaped(sub)}">${escaped(email)}</button>`).join('\n')}
</form>`,
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
