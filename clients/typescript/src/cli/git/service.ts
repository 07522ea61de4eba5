import type { BreakingChange } from '../../../../../contract/content/breaking.ts';
import type { Content } from '../../../../../contract/content/content.ts';
import { createTransport } from '../../http/transport.ts';

/** The last version of a prompt that a repository published or has pulled. */
export interface Source {
  readonly repository: string;
  readonly version: string;
  readonly contentHash: string;
  readonly commit: string;
}

/** What the service says about a prompt in its list. */
export interface ListedPrompt {
  readonly name: string;
  readonly latest: string;
  readonly contentHash: string;
  readonly labels: readonly { readonly label: string; readonly version: string }[];
  readonly sources: readonly Source[];
}

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
  /** Exactly this version. */
  readonly version?: string;
  readonly allowBreaking?: boolean;
  readonly source?: { readonly repository: string; readonly commit: string; readonly path: string };
}

export interface Published {
  readonly version: string;
  readonly created: boolean;
  readonly breaking: readonly BreakingChange[];
}

export interface LabelMove {
  readonly name: string;
  readonly label: string;
  readonly from: string | null;
  readonly to: string;
}

const NAMES_OF_A_CALL = 20;
const MOVES_OF_A_CALL = 30;

/** The calls of the service for prompts in git. Errors: those of the client. */
export interface Service {
  readonly list: () => Promise<ListedPrompt[]>;
  readonly latest: (names: readonly string[]) => Promise<Map<string, LatestContent>>;
  readonly publish: (publication: Publication) => Promise<Published>;
  /** Up to 30 in one transaction. */
  readonly moveLabels: (moves: readonly LabelMove[]) => Promise<void>;
}

/** The service that the environment names. Errors: `configuration`. */
export const connect = (): Service => {
  // Nothing rests after a failure: the next call is another part of the same work.
  const times = { timeoutMs: 30_000, totalTimeoutMs: 90_000, retries: 4, restMs: 0 };
  const transport = createTransport(times);
  const subject = { operation: 'prompt', name: undefined } as const;
  const post = async <Result>(path: string, body: object): Promise<Result> =>
    (await transport.post({ path: `/api/prompt/${path}`, body, subject })) as Result;

  const list = async () => {
    const all: ListedPrompt[] = [];
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const page = await post<{ prompts: ListedPrompt[]; cursor?: string }>('list', { cursor });
      all.push(...page.prompts);
      cursor = page.cursor;
    }
    return all;
  };

  const latest = async (names: readonly string[]) => {
    const found = new Map<string, LatestContent>();
    for (let left = names; left.length > 0; left = left.filter((name) => !found.has(name))) {
      const { prompts } = await post<{ prompts: LatestContent[] }>('source', {
        names: left.slice(0, NAMES_OF_A_CALL),
      });
      for (const each of prompts) found.set(each.name, each);
    }
    return found;
  };

  const moveLabels = async (moves: readonly LabelMove[]) => {
    for (let at = 0; at < moves.length; at += MOVES_OF_A_CALL)
      await post('move-labels', { moves: moves.slice(at, at + MOVES_OF_A_CALL) });
  };
  return { list, latest, publish: (publication) => post('publish', publication), moveLabels };
};
