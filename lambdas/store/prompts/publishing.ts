import { compareVersions, higherVersion, type VersionPart } from '../../../contract/versions.ts';
import { CuevaultError } from '../../core/errors.ts';
import { hashOf } from '../../core/prompts/contents.ts';
import { contentOnly, type PromptContent } from '../../core/prompts/prompts.ts';
import { type Source, type SourceState, withSource } from '../../core/prompts/sources.ts';
import { bumpVersion } from '../../core/prompts/versions.ts';
import type { Change } from '../audit.ts';
import type { Table } from '../table.ts';
import { changeLiveHead, type Plan } from './change.ts';
import { removeDraft } from './drafts.ts';
import { addEvent } from './events.ts';
import { fragmentsAfter } from './fragments.ts';
import type { PromptHead } from './head.ts';
import { withLabel } from './labels.ts';
import { latestFields, tombstoneVersion } from './row-writes.ts';
import { highestBelow } from './version-lists.ts';
import { type PromptVersion, requireVersion } from './versions.ts';

/** The content of a new version of a prompt. */
export const versionOf = (
  promptId: string,
  version: string,
  content: PromptContent & { readonly source?: Source | undefined },
  { at, actor }: Change,
): PromptVersion => ({
  ...contentOnly(content),
  ...(content.source && { source: content.source }),
  promptId,
  version,
  publishedAt: at.toISOString(),
  publishedBy: actor,
});

/** Either the version itself, or the part of the highest version so far to increment. */
export type VersionChoice = { readonly version: string } | { readonly bump: VersionPart };

/** The version or the bump of a request. Errors: `invalid_request` unless it has exactly one of them. */
export const versionChoice = ({
  version,
  bump,
}: {
  readonly version?: string | undefined;
  readonly bump?: VersionPart | undefined;
}): VersionChoice => {
  if (version !== undefined && bump === undefined) return { version };
  if (bump !== undefined && version === undefined) return { bump };
  throw new CuevaultError('invalid_request', 'Send exactly one of "version" and "bump".');
};

export type PublishInput = PromptContent &
  VersionChoice & {
    /** The `rev` that the head must have now. */
    readonly rev?: number | undefined;
    /** A label to point to the version in the same transaction. */
    readonly label?: string | undefined;
    /** The `rev` of the draft that is published; the draft is removed in the same transaction. */
    readonly draftRev?: number | undefined;
    /** Whether the type may differ from that of the latest version. */
    readonly changeType?: boolean | undefined;
    /** The file that the version is published from. */
    readonly source?: Source | undefined;
  };

export interface Published {
  readonly head: PromptHead;
  readonly version: string;
}

/**
 * Publishes a version. It may be lower than the latest, but its number must be new.
 * Errors: `prompt_not_found`, `version_taken`, `type_changed`, `invalid_request`, `changed_meanwhile`, `unavailable`.
 */
export const publishVersion = async (
  table: Table,
  change: Change,
  promptId: string,
  input: PublishInput,
): Promise<Published> => {
  let version = '';
  const head = await changeLiveHead(table, change, promptId, input.rev, (seen) => {
    version = 'version' in input ? input.version : bumpVersion(seen.highest, input.bump);
    return publication(change, seen, version, input);
  });
  return { head, version };
};

/** The plan of a new version of a live prompt. Errors: `version_taken`, `type_changed`, `invalid_request`. */
export const publication = (
  change: Change,
  seen: PromptHead,
  version: string,
  input: Omit<PublishInput, 'rev'>,
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

const requireSameType = ({ latest, type: before }: PromptHead, { type: after }: PromptContent): void => {
  if (before === after) return;
  throw new CuevaultError(
    'type_changed',
    `Version ${latest} is a ${before ?? 'text'} prompt, and this one is a ${after ?? 'text'} prompt, which breaks applications. To publish it anyway, send "changeType": true.`,
  );
};

/**
 * The changes that point a label to a new version: the head, details of the audit entry, and the event. None without a
 * label. Errors: `invalid_request`.
 */
export const withLabelMoved = (
  head: PromptHead,
  label: string | undefined,
  version: string,
  change: Change,
) => {
  if (label === undefined) return { head, details: {}, writes: [] };
  const { head: next, from } = withLabel(head, label, version);
  const event = { type: 'label-set', label, from, to: version } as const;
  return { head: next, details: { label, from }, writes: [addEvent(head.promptId, change, event)] };
};

/** Rejects a version that belongs to a deleted prompt of the same name. Errors: `version_taken`. */
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
 * Errors: `prompt_not_found`, `version_not_found`, `version_labelled`, `last_version`, `invalid_request`,
 * `changed_meanwhile`, `unavailable`.
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

/**
 * Whether a version may be deleted: it exists, no label points to it and it is not the only one.
 * Errors: `version_not_found`, `version_labelled`, `last_version`, `invalid_request`, `unavailable`.
 */
export const requireDeletable = async (table: Table, head: PromptHead, version: string): Promise<void> => {
  await requireVersion(table, head, version);
  requireUnlabelled(head, version);
  requireOthers(head, version);
};

const requireUnlabelled = ({ labels }: PromptHead, version: string): void => {
  const names = labels.filter((label) => label.version === version).map(({ label }) => `"${label}"`);
  if (names.length === 0) return;
  throw new CuevaultError(
    'version_labelled',
    `Version ${version} has the label ${names.join(', ')}. Move or remove all its labels first.`,
  );
};

const requireOthers = ({ versions }: PromptHead, version: string): void => {
  if (versions > 1) return;
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
