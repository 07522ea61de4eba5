import { counted } from '../../components/count.ts';

/** The lines that the clients read from the environment. */
export const environmentLines = (apiUrl: string, apiKey: string): string =>
  `CUEVAULT_URL=${apiUrl}\nCUEVAULT_API_KEY=${apiKey}`;

/** A prompt to fetch, by the label or the version that a key is tried with. */
export interface PromptExample {
  readonly name: string;
  readonly label?: string;
  readonly version?: string;
}

/**
 * A line for the shell that works with this key: it fetches a prompt, or secrets for a key that may not, or lists prompts
 * for a key that only publishes. The name may contain any character, including single quotes.
 */
export const curlLine = (
  apiUrl: string,
  apiKey: string,
  permissions: readonly string[],
  prompt: PromptExample | null,
): string => {
  const takesPrompt = permissions.includes('prompts') && (prompt !== null || permissions.length === 1);
  const other = permissions.includes('secrets') ? '/api/vault/get-secrets' : '/api/prompt/list';
  const path = takesPrompt ? '/api/prompt/get-compiled' : other;
  const body = JSON.stringify(takesPrompt ? (prompt ?? { name: 'name-of-a-prompt' }) : {});
  return [
    `curl -s '${apiUrl}${path}' \\`,
    `  -H 'Authorization: Bearer ${apiKey}' \\`,
    `  -d '${body.replaceAll("'", `'\\''`)}'`,
  ].join('\n');
};

/**
 * Lines that use a key from the environment, one text for each language, without the key itself: they fetch a prompt,
 * or secrets for a key that may not.
 */
export const programLines = (
  permissions: readonly string[],
  prompt: PromptExample | null,
): readonly { readonly title: string; readonly text: string }[] => {
  const run = { title: 'cuevault run', text: './node_modules/.bin/cuevault run -- node server.js' };
  if (prompt === null || !permissions.includes('prompts')) {
    return [
      {
        title: 'TypeScript',
        text: "import { Cuevault } from 'cuevault';\n\nconst secrets = await new Cuevault().secrets.all();",
      },
      { title: 'Python', text: 'from cuevault import Cuevault\n\nsecrets = Cuevault().secrets.all()' },
      run,
    ];
  }
  const name = JSON.stringify(prompt.name);
  const [label, version] = [JSON.stringify(prompt.label), JSON.stringify(prompt.version)];
  return [
    {
      title: 'TypeScript',
      text: `import { Cuevault } from 'cuevault';\n\n${
        label === undefined
          ? `const prompt = await new Cuevault({ strict: true }).prompts.get(${name}, { version: ${version} });`
          : `const prompt = await new Cuevault({ label: ${label}, strict: true }).prompts.get(${name});`
      }`,
    },
    {
      title: 'Python',
      text: `from cuevault import Cuevault\n\n${
        label === undefined
          ? `prompt = Cuevault(strict=True).prompts.get(${name}, version=${version})`
          : `prompt = Cuevault(label=${label}, strict=True).prompts.get(${name})`
      }`,
    },
    ...(permissions.includes('secrets') ? [run] : []),
  ];
};

/** How much of something a key may read, and whether that is everything. */
export interface Reach {
  readonly text: string;
  readonly isWide: boolean;
}

/** What a key may read of prompts or secrets; `limits` are the patterns or tags that it is limited to. */
export const reachOf = (
  what: 'prompt' | 'secret',
  { allowed, total }: { readonly allowed: number; readonly total: number },
  limits: readonly string[],
): Reach => {
  if (allowed === 0) return { text: `no ${what}`, isWide: false };
  if (limits.length === 0) return { text: `every ${what}: all ${total}`, isWide: true };
  const of = what === 'secret' ? 'tagged' : 'named';
  return { text: `${allowed} of ${counted(total, what)}: those ${of} ${limits.join(', ')}`, isWide: false };
};
