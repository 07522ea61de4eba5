import { Cuevault } from '../../client.ts';
import type { Prompt } from '../../prompts/prompt.ts';
import type { Snapshot, SnapshotEntry } from '../../prompts/snapshot.ts';
import { labelVariable } from '../../settings.ts';
import type { PromptResult } from '../../wire.ts';
import { errorAbout } from '../message.ts';

/** The part after the last `@` of a reference: a version, else a label. Without one, what a client would ask for. */
const requestOf = (reference: string) => {
  const at = reference.lastIndexOf('@');
  const name = at < 1 ? reference : reference.slice(0, at);
  const which = at < 1 ? (labelVariable() ?? 'latest') : reference.slice(at + 1);
  if (which === 'latest') return { name, version: which, latest: true };
  return /^\d+\.\d+\.\d+$/.test(which) ? { name, version: which } : { name, label: which };
};

/** The fields of a prompt as the service returns them. */
export const resultOf = (name: string, prompt: Prompt): PromptResult => {
  const { promptId = '', version = '', tags, metaProperties, prompt: template, messages, model } = prompt;
  const { config, output, tools, includes, declarations } = prompt;
  const shown = <Value extends object>(value: Value) => (Object.keys(value).length > 0 ? value : undefined);
  return {
    ...{ promptId, name, version, tags, metaProperties, prompt: template },
    ...{ type: messages && 'chat', messages, variables: shown(declarations), model, config: shown(config) },
    ...{ output, tools: shown(tools), includes: shown(includes) },
  };
};

/**
 * Fetches prompts, each given as NAME, NAME@VERSION or NAME@LABEL, as a snapshot.
 * Errors: CliError that names the one that failed.
 */
export const fetchSnapshot = async (references: readonly string[]): Promise<Snapshot> => {
  const { prompts } = new Cuevault();
  const fetchEntry = async (reference: string): Promise<SnapshotEntry> => {
    const { name, latest, version: asked, label } = requestOf(reference);
    try {
      return { label, latest, ...resultOf(name, await prompts.get(name, { version: asked, label })) };
    } catch (error) {
      throw errorAbout(reference, error);
    }
  };
  return { cuevaultSnapshot: 1, savedAt: Date.now(), prompts: await Promise.all(references.map(fetchEntry)) };
};
