import { counted } from '../../components/locale.ts';
import {
  curlSnippet,
  promptsCurl,
  pythonSnippet,
  type SnippetInput,
  secretsCurl,
  typescriptSnippet,
} from '../../components/snippet-texts.ts';

const NO_PROMPT = { name: 'name-of-a-prompt', choice: { kind: 'latest' }, variables: [] } as const;

/** The lines that the clients read from the environment. */
export const environmentLines = (apiUrl: string, apiKey: string): string =>
  `CUEVAULT_URL=${apiUrl}\nCUEVAULT_API_KEY=${apiKey}`;

/** A prompt to try a key with: by its label or version, with its variables. */
export type PromptExample = Omit<SnippetInput, 'apiUrl'>;

interface Code {
  readonly title: string;
  readonly text: string;
}

const READING_SECRETS: readonly Code[] = [
  {
    title: 'TypeScript',
    text: "import { Cuevault } from 'cuevault';\n\nconst secrets = await new Cuevault().secrets.all();",
  },
  { title: 'Python', text: 'from cuevault import Cuevault\n\nsecrets = Cuevault().secrets.all()' },
];

/**
 * Code that works with a key in the environment, one text for each language, without the key itself: it fetches a prompt;
 * secrets, if the key may not or there is none; or lists prompts for a key that only publishes.
 */
export const keyExamples = (
  apiUrl: string,
  permissions: readonly string[],
  prompt: PromptExample | null,
): readonly Code[] => {
  const run = { title: 'cuevault run', text: './node_modules/.bin/cuevault run -- node server.js' };
  const readsSecrets = permissions.includes('secrets');
  if (permissions.includes('prompts') && (prompt !== null || !readsSecrets)) {
    const input = { apiUrl, ...(prompt ?? NO_PROMPT) };
    return [
      { title: 'curl', text: curlSnippet(input) },
      { title: 'TypeScript', text: typescriptSnippet(input) },
      { title: 'Python', text: pythonSnippet(input) },
      ...(readsSecrets ? [run] : []),
    ];
  }
  return readsSecrets
    ? [{ title: 'curl', text: secretsCurl(apiUrl, {}) }, ...READING_SECRETS, run]
    : [{ title: 'curl', text: promptsCurl(apiUrl) }];
};

/** What a key may read of prompts or secrets; `limits` are the patterns or tags that it is limited to. */
export const reachOf = (
  what: 'prompt' | 'secret',
  {
    allowed,
    total,
    more,
  }: { readonly allowed: number; readonly total: number; readonly more?: boolean | undefined },
  limits: readonly string[],
): string => {
  // Only the first are known of many, so these are lower bounds.
  const least = more ? 'at least ' : '';
  if (limits.length === 0 && allowed === total && allowed > 0) return `every ${what} (${least}${total})`;
  if (allowed === 0 && !more) return `no ${what}`;
  const of =
    limits.length > 0 ? `: those ${what === 'secret' ? 'tagged' : 'named'} ${limits.join(', ')}` : '';
  return `${least}${allowed} of ${counted(total, what)}${of}`;
};
