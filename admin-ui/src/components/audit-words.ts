import type { ResultOf } from '../../../contract/documentation.ts';
import type { RefusalReason } from '../../../contract/http/errors.ts';
import { counted, countedIfAny, inDigits, joined } from './locale.ts';

/** The fields of an audit entry that its text depends on. */
export type AuditEntryWords = Pick<
  ResultOf<'audit-list'>['entries'][number],
  'action' | 'subject' | 'name' | 'details'
>;

const text = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(text).join(', ');
  if (typeof value === 'number') return inDigits(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const moved = ({ label, from, to }: AuditEntryWords['details']): string =>
  from
    ? `moved the label ${text(label)} from ${text(from)} to ${text(to)}`
    : `pointed the label ${text(label)} to ${text(to)}`;

// What a publish does in the same transaction.
const movedToo = ({ label, from }: AuditEntryWords['details']): string => {
  if (label === undefined) return '';
  return from ? ` and moved ${text(label)} from ${text(from)}` : ` and pointed ${text(label)} to it`;
};

// Where a version comes from.
const fromSource = ({ source }: AuditEntryWords['details']): string => {
  if (source === undefined) return '';
  const { repository, commit } = source as { repository?: string; commit?: string };
  return ` from ${text(repository)} at ${String(commit).slice(0, 7)}`;
};

const updated = ({ number, tags, note, rotateBy, ...rest }: AuditEntryWords['details']): string =>
  joined(
    [
      number !== undefined && `rotated (v${text(number)})`,
      tags !== undefined && 'set the tags',
      note !== undefined && (note === 'removed' ? 'removed the note' : 'changed the note'),
      rotateBy === '' && 'removed the rotation date',
      rotateBy && `set the rotation date ${text(rotateBy)}`,
      rest.switchedOffUpTo !== undefined &&
        `recorded that values up to v${text(rest.switchedOffUpTo)} are disabled`,
    ],
    ' and ',
  ) || 'changed the secret';

const imported = ({ created, updated, part, secrets = [] }: AuditEntryWords['details']): string =>
  part === undefined
    ? `imported ${joined([countedIfAny(Number(created), 'new secret'), countedIfAny(Number(updated), 'new value')], ' and ')}`
    : `imported, part ${text(part)} of the list: ${counted((secrets as readonly unknown[]).length, 'secret')}`;

const read = ({ count, filter }: AuditEntryWords['details']): string => {
  const { tags = [] } = (filter ?? {}) as { tags?: readonly string[] };
  return `read ${count === 1 ? 'one secret' : counted(Number(count), 'secret')}${tags.length > 0 ? ` tagged ${tags.join(', ')}` : ''}`;
};

const REFUSED_FOR: Readonly<Record<RefusalReason, string>> = {
  malformed_key: 'malformed key',
  unknown_key: 'unknown key',
  wrong_secret: 'wrong key',
  wrong_token: 'a token that is not one of this trust',
  claims: 'another value of a claim',
  signing_key: 'an unknown signing key',
  expired: 'key expired',
  revoked: 'key revoked',
  permission: 'missing permission',
  address: 'address not allowed',
  environment: 'environment not allowed',
  tags: 'secret not allowed by its tags',
  prompts: 'prompt not allowed',
  publish: 'prompt not allowed for publishing',
  label: 'label not allowed',
  protected_label: 'label protected',
  rate: 'too many calls',
  include: 'included prompt not allowed',
  stopped: 'all secrets stopped',
};

/** Why a call was refused. */
export const refusalText = (reason: string): string => REFUSED_FOR[reason as RefusalReason] ?? reason;

const refused = ({ reason, asked }: AuditEntryWords['details']): string =>
  `was refused in one or more calls: ${refusalText(text(reason))}${asked === undefined ? '' : `; first asked for ${text(asked)}`}`;

const KEY_FIELDS: Readonly<Record<string, string>> = { expiresAt: 'expiry', mostPrompts: 'most prompts' };

const narrowed = ({ to }: AuditEntryWords['details']): string => {
  const fields = Object.keys(to ?? {}).map((field) => KEY_FIELDS[field] ?? field);
  return `changed the ${fields.join(' and ')} of the API key`;
};

const VERBS: Readonly<Record<string, string | ((details: AuditEntryWords['details']) => string)>> = {
  'prompt.create': ({ version, ...label }) =>
    `created the prompt with ${text(version)}${fromSource(label)}${movedToo(label)}`,
  'prompt.delete': 'deleted the prompt',
  'prompt.restore': 'restored the prompt',
  'version.publish': ({ version, ...label }) =>
    `published ${text(version)}${fromSource(label)}${movedToo(label)}`,
  'prompt.adopt': ({ version, ...rest }) => `took over ${text(version)}${fromSource(rest)}`,
  'prompt.export': ({ version }) => `fetched the source of ${text(version)}`,
  'prompt.tried': ({ model }) => `sent a text to the model ${text(model)}, of`,
  'version.delete': ({ version }) => `deleted version ${text(version)}`,
  'label.set': moved,
  'label.remove': ({ label, from }) => `removed the label ${text(label)} from ${text(from)}`,
  'label.move-set': ({ moves }) =>
    `moved ${counted((moves as unknown[]).length, 'label')} of prompts at once:`,
  'label.protect': 'protected the label',
  'label.unprotect': 'removed the protection of the label',
  'draft.save': 'saved a draft',
  'draft.delete': 'discarded the draft',
  'examples.save': ({ variables }) =>
    variables === 0 ? 'removed the example values' : 'saved example values',
  'secret.create': 'created the secret',
  'secret.update': updated,
  'secret.rollback': ({ from, to }) => `rolled the secret back from v${text(from)} to v${text(to)}`,
  'secret.delete': 'deleted the secret',
  'secret.restore': 'restored the secret',
  'secret.received_by_all': ({ number }) => `found v${text(number)} received by all readers of the secret`,
  'secret.import': imported,
  'secret.read': read,
  'call.refuse': refused,
  'api-key.create': 'created the API key',
  'api-key.update': narrowed,
  'api-key.revoke': 'revoked the API key',
  'operator.invite': ({ group }) => `invited the operator to the group ${text(group)}:`,
  'operator.accept': ({ verified }) =>
    `signed in for the first time, ${verified ? 'and accepted the invitation of' : 'confirmed by an administrator, as'}`,
  'operator.rename': ({ from }) => `has a new address at the company, before ${text(from)}:`,
  'operator.request': 'signed in with an unverified address, and asks for the invitation of',
  'operator.confirm': ({ userId }) => `confirmed ${text(userId)} for the invitation of`,
  'operator.refuse-address': ({ to }) =>
    `has the address ${text(to)} of another operator at the company, and stays`,
  'operator.change-group': ({ from, to }) =>
    `moved the operator from ${from === null ? 'no group' : text(from)} to the group ${text(to)}:`,
  'operator.disable': 'disabled the operator',
  'operator.enable': 'enabled the operator',
  'operator.remove': 'removed the operator',
  'operator.reset': 'reset the sign-in of the operator',
  'environments.set': ({ to, critical = [] }) =>
    `set the environments to ${text(to)}; critical: ${text(critical) || 'none'}`,
  'vault.create': 'created the first key pair',
  'vault.rotate': 'rotated the key pair',
  'vault.request-rotation': ({ keyVersion }) =>
    `requested a new key pair in place of no. ${text(keyVersion)}`,
  'vault.retire-keys': 'retired old key pairs',
  'vault.stop': ({ reason }) => `stopped serving secrets${reason === undefined ? '' : ` (${text(reason)})`}`,
  'vault.who-has': ({ found }) => `asked who has a value (found ${text(found)}) in`,
  'vault.start': 'started serving secrets again',
  'vault.restore-revision': ({ revision }) => `restored revision ${text(revision)}`,
  'prompt.import': 'restored the prompt from a backup',
  'api-key.import': ({ isRevoked }) =>
    `restored the ${isRevoked === true ? 'revoked ' : ''}API key from a backup`,
  'vault.import-keys': 'imported key pairs from a backup into',
  'notification.test': 'sent a',
  'backup.create': 'made a',
  'backup.reencrypt': ({ secrets }) =>
    `sealed ${counted(Number(secrets), 'secret')} for another installation in a`,
};

/** What the actor did, as the rest of a sentence that begins with the actor. */
export const verbOf = ({ action, details }: AuditEntryWords): string => {
  const verb = VERBS[action] ?? action;
  return typeof verb === 'string' ? verb : verb(details);
};

/** All actions of the audit log by what they concern, for the filter; the first of each group means all of it. */
export const ACTION_GROUPS = [...Map.groupBy(Object.keys(VERBS), (action) => action.split('.')[0] ?? '')].map(
  ([group, actions]) => ({
    group,
    items: [
      { value: `${group}.`, label: `all of ${group}` },
      ...actions.map((value) => ({ value, label: value })),
    ],
  }),
);
