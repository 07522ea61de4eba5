import type { InputOf } from '../../../contract/endpoint.ts';
import type { versionsPublish } from '../../../contract/endpoints/versions.ts';
import { compareVersions, higherVersion } from '../../../contract/versions.ts';
import { CuevaultError } from '../../core/errors.ts';
import { contentOnly, hashOf } from '../../core/prompts/contents.ts';
import type { PromptContent } from '../../core/prompts/prompts.ts';
import { type Source, type SourceState, withSource } from '../../core/prompts/sources.ts';
import { bumpVersion } from '../../core/prompts/versions.ts';
import { type Change, stamp } from '../audit.ts';
import type { Table } from '../table.ts';
import { changeLiveHead, type Plan } from './change.ts';
import { removeDraft } from './drafts.ts';
import { addEvent } from './events.ts';
import { fragmentsAfter } from './fragments.ts';
import type { PromptHead } from './head.ts';
import { labelMoved } from './labels.ts';
import { requireVersion } from './lookups.ts';
import { latestFields, tombstoneVersion } from './row-writes.ts';
import { highestBelow } from './version-lists.ts';
import type { PromptVersion } from './versions.ts';

export const versionOf = (
  promptId: string,
  version: string,
  content: PromptContent & { readonly source?: Source | undefined },
  change: Change,
): PromptVersion => ({
  ...contentOnly(content),
  source: content.source,
  promptId,
  version,
  ...stamp(change, 'published'),
});

export interface PublishInput
  extends PromptContent,
    Omit<InputOf<typeof versionsPublish.body>, keyof PromptContent | 'messages'> {
  readonly source?: Source | undefined;
}

/** Publishes a version, by default the next minor one. It may be lower than the latest, but its number must be new. */
export const publishVersion = async (table: Table, change: Change, promptId: string, input: PublishInput) => {
  const { bump = 'minor' } = input;
  let version = '';
  const head = await changeLiveHead(table, change, promptId, input.rev, (seen) => {
    version = input.version ?? bumpVersion(seen.highest, bump);
    return publication(change, seen, version, input);
  });
  return { head, version };
};

/** The plan of a new version of a live prompt. */
export const publication = (
  change: Change,
  seen: PromptHead,
  version: string,
  input: Omit<PublishInput, 'rev' | 'version' | 'bump'>,
): Plan => {
  const { label, draftRev, source } = input;
  requireAbove(seen.reservedUpTo, version);
  if (input.changeType !== true) requireSameType(seen, input);
  const published = versionOf(seen.promptId, version, input, change);
  const next = { ...withVersion(seen, published), ...sourcesAfter(seen.sources, source, published) };
  const { head, details, writes } = withLabelMoved(next, label, version, change);
  return {
    head,
    event: { type: 'published', version },
    audit: { action: 'version.publish', details: { version, ...details, source } },
    version: published,
    writes: [...writes, ...(draftRev === undefined ? [] : [removeDraft(seen.promptId, draftRev)])],
  };
};

/** The states of repositories after a version was published, from one of them or from none. */
export const sourcesAfter = (
  sources: readonly SourceState[] | undefined,
  source: Source | undefined,
  published: PromptVersion,
): Pick<PromptHead, 'sources'> => {
  if (source === undefined) return {};
  const { version } = published;
  return { sources: withSource(sources, source, { version, contentHash: hashOf(published) }) };
};

const requireSameType = ({ latest, type: before }: PromptHead, { type: after }: PromptContent) => {
  if (before === after) return;
  throw new CuevaultError(
    'type_changed',
    `Version ${latest} is a ${before ?? 'text'} prompt, and this one is a ${after ?? 'text'} prompt, which breaks applications. To publish it anyway, send "changeType": true.`,
  );
};

/**
 * The changes that point a label to a new version: the head, details of the audit entry, and the event. None without a
 * label.
 */
export const withLabelMoved = (
  head: PromptHead,
  label: string | undefined,
  version: string,
  change: Change,
) => {
  if (label === undefined) return { head, details: {}, writes: [] };
  const { head: next, event } = labelMoved(head, label, version);
  return {
    head: next,
    details: { label, from: event.from },
    writes: [addEvent(head.promptId, change, event)],
  };
};

/** Rejects a version that belongs to a deleted prompt of the same name. */
export const requireAbove = (reservedUpTo: string | undefined, version: string): void => {
  if (reservedUpTo === undefined || compareVersions(version, reservedUpTo) > 0) return;
  throw new CuevaultError(
    'version_taken',
    `Version ${version} is not above ${reservedUpTo}, the highest version of a deleted prompt of this name. Its numbers are never used again. Choose a version above ${reservedUpTo}.`,
  );
};

const withVersion = (head: PromptHead, published: PromptVersion): PromptHead => ({
  ...head,
  versions: head.versions + 1,
  highest: higherVersion(head.highest, published.version),
  ...fragmentsAfter(head.fragments, published),
  ...(compareVersions(published.version, head.latest) > 0 ? latestFields(published) : {}),
});

/**
 * Deletes a version that no label points to and that is not the only one. Its number stays reserved; if it was the
 * latest, the highest remaining version becomes the latest.
 */
export const deleteVersion = (
  table: Table,
  change: Change,
  promptId: string,
  version: string,
  { rev }: { readonly rev?: number | undefined } = {},
): Promise<PromptHead> =>
  changeLiveHead(table, change, promptId, rev, async (seen) => {
    await requireDeletable(table, seen, version);
    return {
      head: {
        ...seen,
        versions: seen.versions - 1,
        generation: seen.generation + 1,
        ...(version === seen.latest ? await latestWithout(table, seen, version) : {}),
      },
      event: { type: 'version-deleted', version },
      audit: { action: 'version.delete', details: { version } },
      writes: [tombstoneVersion(promptId, version, change)],
    };
  });

/** Whether a version may be deleted: it exists, no label points to it and it is not the only one. */
export const requireDeletable = async (table: Table, head: PromptHead, version: string): Promise<void> => {
  await requireVersion(table, head, version);
  const names = head.labels.filter((label) => label.version === version).map(({ label }) => `"${label}"`);
  if (names.length > 0)
    throw new CuevaultError(
      'version_labelled',
      `Version ${version} has the label ${names.join(', ')}. Move or remove all its labels first.`,
    );
  if (head.versions <= 1)
    throw new CuevaultError(
      'last_version',
      `Version ${version} is the only version of the prompt. Delete the prompt instead, or publish another version first.`,
    );
};

const latestWithout = async (table: Table, head: PromptHead, version: string) => {
  const latest = await highestBelow(table, head, version);
  // Only a change between the two reads can leave no version, and then the transaction fails too.
  return latest === undefined ? {} : latestFields(latest);
};
