import type { Content } from '../../../../../contract/content/content.ts';
import type { ResultOf } from '../../../../../contract/documentation.ts';
import { VERSION_PATTERN } from '../../../../../contract/fields/patterns.ts';
import { createTransport } from '../../http/transport.ts';
import { invalidReply } from '../../refusals.ts';
import { isObject } from '../../wire.ts';

/** What the service says about a prompt in its list. */
export type ListedPrompt = Omit<ResultOf<'prompt-list'>['prompts'][number], 'type'>;

/** The last version of a prompt that a repository published or has pulled. */
export type Source = ListedPrompt['sources'][number];

/** The latest version of a prompt, as its author wrote it. */
export interface LatestContent {
  readonly name: string;
  readonly version: string;
  readonly note: string;
  readonly content: Content;
}

export interface Publication {
  readonly name: string;
  readonly content: Content;
  /** The latest version as it was listed. */
  readonly base: string | null;
  readonly note?: string;
  readonly dryRun?: boolean;
  readonly version?: string;
  readonly allowBreaking?: boolean;
  readonly source?: { readonly repository: string; readonly commit: string; readonly path: string };
}

export type Published = Pick<ResultOf<'prompt-publish'>, 'version' | 'created' | 'breaking'>;

export interface LabelMove {
  readonly name: string;
  readonly label: string;
  readonly from: string | null;
  readonly to: string;
}

const NAMES_OF_A_CALL = 20;
const MOVES_OF_A_CALL = 30;

/** The calls of the service for prompts in git. Errors: those of the client. */
export type Service = ReturnType<typeof connect>;

const isVersion = (value: unknown): boolean => VERSION_PATTERN.test(String(value));
const areTexts = (...values: readonly unknown[]): boolean => values.every((each) => typeof each === 'string');

/** Whether a list has objects only, each of which is as it must be. */
const isListOf = (value: unknown, isEach: (each: Record<string, unknown>) => boolean): boolean =>
  Array.isArray(value) && value.every((each) => isObject(each) && isEach(each));

const isLabelled = (value: unknown): boolean =>
  isObject(value) &&
  areTexts(value.note) &&
  isListOf(value.variables, (each) => areTexts(each.name) && typeof each.required === 'boolean');

const isPrompt = ({
  name,
  latest,
  contentHash,
  labels,
  sources,
  ...rest
}: Record<string, unknown>): boolean =>
  areTexts(name, contentHash) &&
  (rest.labelled === undefined || isLabelled(rest.labelled)) &&
  isVersion(latest) &&
  isListOf(labels, ({ label, version }) => areTexts(label) && isVersion(version)) &&
  isListOf(
    sources,
    (each) =>
      areTexts(each.repository, each.contentHash) &&
      isVersion(each.version) &&
      /^[0-9a-f]+$/.test(String(each.commit)),
  );

const isSource = ({ name, version, note, content }: Record<string, unknown>): boolean =>
  areTexts(name, note) && isVersion(version) && isObject(content);

/** What is printed and written must be what the contract says. Errors: `invalid_reply`. */
const check = (isValid: boolean): void => {
  if (!isValid) throw invalidReply('The reply is not what this version of the client understands.');
};

/** The service that the environment names. Errors: `configuration`. */
export const connect = () => {
  // Nothing rests after a failure: the next call is another part of the same work.
  const times = { timeoutMs: 30_000, totalTimeoutMs: 90_000, maxRetries: 4, pauseMs: 0 };
  const transport = createTransport(times);
  const subject = { operation: 'prompt', name: undefined } as const;
  const post = async <Result>(path: string, body: object): Promise<Result> =>
    (await transport.send({ path: `/api/prompt/${path}`, body, subject })) as Result;

  /** All prompts; with a label, those that have it and what its versions take. */
  const list = async (label?: string) => {
    const all: ListedPrompt[] = [];
    const seen = new Set<string>();
    for (let cursor: string | undefined; ; ) {
      const page = await post<{ prompts: ListedPrompt[]; cursor?: string }>('list', { cursor, label });
      check(isListOf(page.prompts, isPrompt));
      all.push(...page.prompts);
      cursor = page.cursor;
      if (cursor === undefined) return all;
      if (seen.has(cursor)) throw invalidReply('The list of prompts does not end: its cursor does not move.');
      seen.add(cursor);
    }
  };

  const latest = async (names: readonly string[]) => {
    const found = new Map<string, LatestContent>();
    for (let left = names; left.length > 0; left = left.filter((name) => !found.has(name))) {
      const { prompts } = await post<{ prompts: LatestContent[] }>('source', {
        names: left.slice(0, NAMES_OF_A_CALL),
      });
      check(isListOf(prompts, isSource) && prompts.some(({ name }) => left.includes(name)));
      for (const each of prompts) found.set(each.name, each);
    }
    return found;
  };

  /** The labels that the API key may move, unless they are protected. */
  const labels = async (): Promise<readonly unknown[]> => {
    const me = await transport.send({ path: '/api/whoami', subject });
    return [me.labels ?? []].flat();
  };

  /** Up to 30 in one transaction; `to` null removes a label. A dry run only says what would be refused. */
  const moveLabels = async (
    moves: readonly (Omit<LabelMove, 'to'> & { readonly to: string | null })[],
    dryRun?: boolean,
  ): Promise<void> => {
    for (let at = 0; at < moves.length; at += MOVES_OF_A_CALL)
      await post('move-labels', { moves: moves.slice(at, at + MOVES_OF_A_CALL), dryRun });
  };
  const publish = async (publication: Publication) => {
    const reply = await post<Published>('publish', publication);
    check(isVersion(reply.version) && typeof reply.created === 'boolean' && Array.isArray(reply.breaking));
    return reply;
  };
  return { list, latest, publish, labels, moveLabels };
};
