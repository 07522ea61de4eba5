import { setTimeout as pause } from 'node:timers/promises';
import type { Content, Message } from '../../../../../contract/content/content.ts';
import { UnavailableError } from '../../errors.ts';
import { contentOf, parseJson, retryAfterOf } from '../../http/reply.ts';
import { environmentVariable } from '../../platform.ts';
import { insecureAllowed, isLoopback } from '../../settings.ts';
import { isObject, type JsonObject } from '../../wire.ts';
import { CliError, EXIT, wrongUsage } from '../exit-codes.ts';
import { eachOf, progressOf } from '../git/work.ts';
import type { Terminal } from '../terminal.ts';
import { type ForeignPrompt, type ForeignVersion, foreignPrompt, Unfit } from './foreign.ts';

const TIMEOUT_MS = 30_000;
const ATTEMPTS = 6;
const LONGEST_PAUSE_S = 60;
/** The most that Langfuse lists at once. */
const PAGE = 100;
/** The most prompts that are taken over. */
const MOST_PROMPTS = 100_000;

const addressOf = (from: string): string => {
  const url = URL.canParse(from) ? new URL(from) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw wrongUsage('--from must be the address of Langfuse, such as https://cloud.langfuse.com.');
  }
  if (url.protocol === 'http:' && !isLoopback(url) && !insecureAllowed()) {
    throw wrongUsage(
      '--from begins with http:// and is on another machine, so the keys of Langfuse would travel unencrypted. Use https://, or set CUEVAULT_ALLOW_INSECURE_HTTP=1.',
    );
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
};

const authorization = (): string => {
  const keys = ['LANGFUSE_PUBLIC_KEY', 'LANGFUSE_SECRET_KEY'].map(environmentVariable);
  if (keys.includes(undefined)) {
    throw wrongUsage('Set LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY to keys of the Langfuse project.');
  }
  return `Basic ${Buffer.from(keys.join(':')).toString('base64')}`;
};

const secondsAfter = (reply: Response, attempt: number): number =>
  Math.min(retryAfterOf(reply) ?? 2 ** attempt / 4, LONGEST_PAUSE_S);

type Get = (path: string) => Promise<JsonObject>;

/** Reads from Langfuse. Errors: CliError `refused`, `unavailable`; `Unfit` if Langfuse refuses this one request. */
const reader = (from: string): Get => {
  const address = addressOf(from);
  const headers = { authorization: authorization(), accept: 'application/json' };
  const failed = (problem: string) => new CliError(`Langfuse at ${address} ${problem}.`, EXIT.unavailable);
  const send = async (path: string): Promise<Response> => {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      return await fetch(address + path, { headers, redirect: 'manual', signal });
    } catch (error) {
      const { code = (error as Error).name } = ((error as Error).cause ?? {}) as { code?: string };
      throw failed(`cannot be reached (${code})`);
    }
  };
  const answer = async (path: string): Promise<Response> => {
    for (let attempt = 1; ; attempt++) {
      const reply = await send(path);
      if (reply.status !== 429 && reply.status < 500) return reply;
      if (attempt === ATTEMPTS) throw failed(`answers with status ${reply.status}`);
      await pause(secondsAfter(reply, attempt) * 1000);
    }
  };
  return async (path) => {
    const reply = await answer(path);
    if (reply.status === 401 || reply.status === 403) {
      throw new CliError(
        `Langfuse at ${address} rejected the keys in LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY.`,
        EXIT.refused,
      );
    }
    const body = await contentOf(reply).then(parseJson, (error) => {
      if (error instanceof UnavailableError) throw new Unfit('Langfuse answers with more than 8 MB');
      throw failed('cannot be reached, or the connection was lost');
    });
    if (reply.status >= 400 && isObject(body))
      throw new Unfit(`Langfuse answers with: ${String(body.message ?? reply.status)}`);
    if (!reply.ok || !isObject(body)) throw failed(`answers with something else (status ${reply.status})`);
    return body;
  };
};

const notLangfuse = (reason: string): CliError =>
  new CliError(`This is not the API of Langfuse, or too old a version: ${reason}.`, EXIT.unavailable);

const listed = async (get: Get): Promise<JsonObject[]> => {
  const all = new Map<unknown, JsonObject>();
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { data, meta } = await get(`/api/public/v2/prompts?page=${page}&limit=${PAGE}`).catch((error) => {
      throw error instanceof Unfit ? notLangfuse(error.message) : error;
    });
    if (!Array.isArray(data) || !isObject(meta) || !Number.isInteger(meta.totalPages))
      throw notLangfuse('its list of prompts has another form');
    const before = all.size;
    for (const each of data.filter(isObject)) all.set(each.name, each);
    if (all.size > MOST_PROMPTS || (data.length > 0 && all.size === before))
      throw notLangfuse('its list of prompts does not end');
    pages = data.length === 0 ? 0 : Number(meta.totalPages);
  }
  return [...all.values()];
};

const MESSAGE_FIELDS = ['type', 'role', 'content'];

const messageOf = (message: unknown, index: number): Message => {
  if (!isObject(message)) throw new Unfit(`message ${index + 1} is not an object`);
  const { type, role, content, name } = message;
  if (type === 'placeholder' || (role === undefined && typeof name === 'string')) {
    return { type: 'placeholder', name: String(name) };
  }
  const more = Object.keys(message).filter((field) => !MESSAGE_FIELDS.includes(field));
  if (more.length > 0)
    throw new Unfit(`message ${index + 1} has ${more.join(', ')}, which no message here has`);
  // The service names roles and contents that it does not take.
  return { role, content } as Message;
};

const configOf = (config: unknown): Pick<Content, 'config'> => {
  if (config === null || config === undefined) return {};
  if (!isObject(config)) throw new Unfit('its config is not an object');
  return Object.keys(config).length === 0 ? {} : { config };
};

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** A version as the API returns it. Errors: `Unfit`. */
const versionOf = (reply: JsonObject): ForeignVersion => {
  const { version, type, prompt, config, tags, labels, commitMessage } = reply;
  const common = { ...configOf(config), tags: textsOf(tags) };
  const content = Array.isArray(prompt)
    ? { type: 'chat' as const, messages: prompt.map(messageOf), ...common }
    : { prompt: String(prompt), ...common };
  if (Array.isArray(prompt) !== (type === 'chat')) throw new Unfit(`its type ${String(type)} is unknown`);
  return {
    version: `${Number(version)}.0.0`,
    content,
    note: typeof commitMessage === 'string' && commitMessage !== '' ? commitMessage : undefined,
    labels: textsOf(labels).filter((label) => label !== 'latest'),
  };
};

/**
 * All prompts of a Langfuse project, with all versions: N becomes N.0.0, and what a version includes is part of its text.
 * Errors: CliError `usage`, `refused`, `unavailable`.
 */
export const langfusePrompts = async (from: string, terminal: Terminal): Promise<ForeignPrompt[]> => {
  const get = reader(from);
  const list = await listed(get);
  const tick = progressOf(terminal, 'read', list.length);
  const prompts = await eachOf(list, async ({ name, versions }) => {
    const path = `/api/public/v2/prompts/${encodeURIComponent(String(name))}?version=`;
    const read = async (version: unknown) => {
      try {
        return versionOf(await get(path + version));
      } catch (error) {
        throw error instanceof Unfit ? new Unfit(`version ${version}: ${error.message}`) : error;
      }
    };
    const prompt = await foreignPrompt(String(name), Array.isArray(versions) ? versions : [], read);
    tick();
    return prompt;
  });
  return prompts.sort((a, b) => (a.name < b.name ? -1 : 1));
};
