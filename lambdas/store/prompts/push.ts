import { type BreakingChange, breakingChanges } from '../../../contract/content/breaking.ts';
import type { ReplyTo } from '../../../contract/documentation.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { promptPublish } from '../../../contract/endpoints/publishing.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { VersionPart } from '../../../contract/versions.ts';
import { assertValid, CuevaultError } from '../../core/errors.ts';
import { promptIdOf } from '../../core/identifiers.ts';
import { firstFew } from '../../core/names.ts';
import { hashOf, proposedPart, servedContent } from '../../core/prompts/contents.ts';
import type { PromptContent } from '../../core/prompts/prompts.ts';
import { REPOSITORIES, type SourceState, withSource } from '../../core/prompts/sources.ts';
import { bumpVersion } from '../../core/prompts/versions.ts';
import type { Change } from '../audit.ts';
import { verifiedRow } from '../signing/rows.ts';
import { getItem, type Table } from '../table.ts';
import { ConflictError } from '../transactions.ts';
import { changeHead, type Decision, type Plan } from './change.ts';
import { type Creator, noteCreated, requireRoom } from './counts.ts';
import { type Require, withFragments } from './fragments.ts';
import { isLive, type PromptHead } from './head.ts';
import { creation } from './lifecycle.ts';
import { publication, requireAbove } from './publishing.ts';
import { numberUsed } from './row-writes.ts';
import { isTombstone, PROMPT_VERSION, type PromptVersion, readVersion, versionKey } from './versions.ts';

type Publish = typeof promptPublish;

export interface PushInput extends Omit<InputOf<Publish['body']>, 'content' | 'note'> {
  readonly content: PromptContent;
  readonly allow: Require;
  readonly creator: Creator;
}

type Pushed = ReplyTo<'prompt-publish'>;

interface Outcome {
  readonly pushed: Pushed;
  readonly decision: Decision;
}

/**
 * Publishes a content from code, unless the latest version has it already: repeating a call changes nothing. Creates
 * the prompt if it does not exist. An exact version is compared with what has its number instead.
 */
export const pushPrompt = async (table: Table, change: Change, input: PushInput): Promise<Pushed> => {
  let pushed: Pushed = { version: '', created: false, contentHash: '', ...breakingFields([]) };
  await changeHead(table, change, promptIdOf(input.name), undefined, async (seen) => {
    const { decision, ...outcome } = await decide(table, change, seen, input);
    pushed = outcome.pushed;
    return input.dryRun === true && 'head' in decision ? { kept: decision.head } : decision;
  });
  if (pushed.created && input.base === null && input.dryRun !== true) await noteCreated(table);
  return pushed;
};

const breakingFields = (breaking: readonly BreakingChange[]) => ({
  breaking: breaking.slice(0, LIMITS.listedBreaks),
  breakingCount: breaking.length,
});

const decide = async (table: Table, change: Change, seen: PromptHead | undefined, input: PushInput) => {
  const contentHash = hashOf(input.content);
  const live = isLive(seen) ? seen : undefined;
  const same = live && (await withEqualContent(table, live, contentHash, input.version));
  if (live !== undefined && same !== undefined) {
    return equal(table, live, { version: same, contentHash }, input);
  }
  requireBase(input, live?.latest ?? null);
  const created = (plan: Plan, version: string, breaking: readonly BreakingChange[]): Outcome => ({
    decision: plan,
    pushed: { version, created: true, contentHash, ...breakingFields(breaking) },
  });
  const { name, source, version: exact } = input;
  if (exact !== undefined && seen !== undefined) requireNear(exact, seen.highest);
  const content = await withFragments(table, input.content, input.allow);
  if (live === undefined) {
    const { creator } = input;
    const plan = creation(change, { ...content, name, source, version: exact, creator }, seen);
    // After what the caller can mend without an administrator.
    await requireRoom(table, creator);
    return created(plan, plan.head.latest, []);
  }
  const latest = await latestOf(table, live);
  const breaking = breakingChanges(servedContent(latest), servedContent(content));
  const version = exact ?? bumpVersion(live.highest, partFor(input, latest, breaking));
  if (exact !== undefined && !isMajorAbove(exact, live.latest))
    requireAccepted(input, latest, 'minor', breaking);
  const published = { ...content, version, source, changeType: true };
  return created(publication(change, live, version, published), version, breaking);
};

/** The version that has the content already: the latest, or the one whose number was chosen. */
const withEqualContent = async (
  table: Table,
  { promptId, latest, contentHash, reservedUpTo }: PromptHead,
  hash: string,
  exact: string | undefined,
) => {
  if (exact === undefined) return contentHash === hash ? latest : undefined;
  requireAbove(reservedUpTo, exact);
  const key = versionKey(promptId, exact);
  const item = await getItem(table, key);
  if (item === undefined) return undefined;
  if (isTombstone(item)) throw numberUsed(exact);
  if (hashOf(verifiedRow(table, PROMPT_VERSION, key, item)) === hash) return exact;
  throw new CuevaultError(
    'version_taken',
    `Version ${exact} exists and has another content. Published versions never change: choose another number.`,
  );
};

/**
 * A version has this content. If it is the latest, its repository may not know yet, for example after it has taken over what an
 * operator changed: then only its state is recorded.
 */
const equal = async (
  table: Table,
  head: PromptHead,
  { version, contentHash }: Pick<Pushed, 'version' | 'contentHash'>,
  { source, base }: PushInput,
): Promise<Outcome> => {
  const { latest, sources = [] } = head;
  const pushed = { version, created: false, contentHash, ...breakingFields([]) };
  const known = sources.find(({ repository }) => repository === source?.repository);
  const kept = { pushed, decision: { kept: head } };
  if (source === undefined || base !== latest || version !== latest || known?.version === version)
    return kept;
  const others = known === undefined ? await withRoom(table, head.promptId, sources) : sources;
  if (others === undefined) return kept;
  return {
    pushed,
    decision: {
      head: { ...head, sources: withSource(others, source, { version, contentHash }) },
      audit: { action: 'prompt.adopt', details: { version, source } },
    },
  };
};

/** The repositories without the oldest that never published its version, if there is no room for another; undefined if all did. */
const withRoom = async (table: Table, promptId: string, sources: readonly SourceState[]) => {
  if (sources.length < REPOSITORIES) return sources;
  const versions = await Promise.all(sources.map(({ version }) => readVersion(table, promptId, version)));
  const out = sources.findLastIndex(({ repository }, i) => versions[i]?.source?.repository !== repository);
  return out < 0 ? undefined : sources.filter((_, i) => i !== out);
};

const requireNear = (exact: string, highest: string) => {
  const most = highest.split('.').map((part) => Number(part) + LIMITS.chosenVersionStep);
  assertValid(
    exact.split('.').every((part, i) => Number(part) <= (most[i] ?? 0)),
    `No part of "version" may exceed that of ${highest}, the highest version, by more than ${LIMITS.chosenVersionStep}. Choose a lower one.`,
  );
};

const latestOf = async (table: Table, { promptId, latest }: PromptHead) => {
  const found = await readVersion(table, promptId, latest);
  // It was deleted after the head was read: the head has changed.
  if (found === undefined) throw new ConflictError('prompt');
  return found;
};

const requireBase = ({ name, base }: PushInput, latest: string | null) => {
  if (base === latest) return;
  const now = latest === null ? 'does not exist now' : `has the latest version ${latest} now`;
  const expected = base === null ? 'no prompt' : `version ${base}`;
  throw new CuevaultError(
    'changed_meanwhile',
    `The prompt "${name}" ${now}, and "base" expects ${expected}. Compare them, then publish again.`,
  );
};

const partFor = (input: PushInput, latest: PromptVersion, breaking: readonly BreakingChange[]) => {
  const { bump, content } = input;
  if (bump !== 'auto') {
    if (bump !== 'major') requireAccepted(input, latest, bump, breaking);
    return bump;
  }
  return proposedPart(latest, content, breaking);
};

const NAMED_CHANGES = 5;

const nameOf = (change: BreakingChange) =>
  'name' in change ? `${change.kind} "${change.name}"` : change.kind;

const majorOf = (version: string) => Number(version.split('.')[0]);

const isMajorAbove = (version: string, other: string) => majorOf(version) > majorOf(other);

const requireAccepted = (
  { allowBreaking }: PushInput,
  { version }: PromptVersion,
  bump: VersionPart,
  breaking: readonly BreakingChange[],
) => {
  if (allowBreaking === true || breaking.length === 0) return;
  throw new CuevaultError(
    'breaking_change',
    `The content breaks applications that work with version ${version}: ${firstFew(breaking.map(nameOf), NAMED_CHANGES)}. Publish a major version, or send "allowBreaking": true to publish a ${bump} one.`,
  );
};
