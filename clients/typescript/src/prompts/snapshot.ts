import { refuse } from '../settings.ts';
import type { PromptRequest, PromptResult } from '../wire.ts';

/** A prompt in a snapshot, and by what it was asked for. */
export interface SnapshotEntry extends Omit<PromptResult, 'compiledPrompt' | 'compiledMessages'> {
  /** The label that it was requested by. */
  readonly label?: string | undefined;
  /** It was requested without version and label. */
  readonly latest?: boolean | undefined;
}

/** The content of a file that `cuevault prompt snapshot` writes. */
export interface Snapshot {
  readonly cuevaultSnapshot: 1;
  /** Milliseconds since 1970. */
  readonly savedAt: number;
  readonly prompts: readonly SnapshotEntry[];
}

const isEntry = (value: unknown): value is SnapshotEntry => {
  const { name, version, prompt } = (value ?? {}) as Record<string, unknown>;
  return [name, version, prompt].every((field) => typeof field === 'string');
};

/** The same snapshot. Errors: `configuration` for anything else. */
export const checkSnapshot = (value: unknown): Snapshot => {
  const { cuevaultSnapshot, savedAt, prompts } = (value ?? {}) as Record<string, unknown>;
  const isSnapshot = cuevaultSnapshot === 1 && Number.isFinite(savedAt) && Array.isArray(prompts);
  if (isSnapshot && prompts.every(isEntry)) return value as Snapshot;
  throw refuse('The snapshot was not written by "cuevault prompt snapshot".');
};

/** The prompt of a snapshot that answers a request. */
export const entryFor = (snapshot: Snapshot, request: PromptRequest): SnapshotEntry | undefined => {
  const { name, promptId, version, label } = request;
  return snapshot.prompts.find((entry) => {
    if (name === undefined ? entry.promptId !== promptId : entry.name !== name) return false;
    if (version !== undefined) return entry.version === version;
    return label === undefined ? entry.latest === true : entry.label === label;
  });
};
