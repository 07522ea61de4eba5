import { Code, Text, TextInput } from '@mantine/core';
import type { NavigateOptions } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { keysRevoke } from '../../../contract/endpoints/api-keys.ts';
import { promptsDeleteSeveral } from '../../../contract/endpoints/prompts.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { ApiError, messageOf } from '../api/api-error.ts';
import { type CallInput, call } from '../api/client.ts';
import { useLeadOn } from '../api/leaving.ts';
import { reloaderOf } from '../api/queries.ts';
import { DialogForm, notifyDone, openDialog, useFields } from './dialogs.tsx';
import { counted, inDigits } from './locale.ts';
import { type MenuItems, MoreMenu } from './more-menu.tsx';

interface Confirmation {
  /** Such as "Delete the prompt". */
  readonly title: string;
  readonly name: string;
  /** Text of the button. */
  readonly verb: string;
  /**
   * Runs the action. The service may reject it with `in_use`; then the operator is asked, and `confirmed` is true after
   * they confirm.
   */
  readonly action: (confirmed: boolean) => Promise<unknown>;
  /** Says that it is done. */
  readonly done?: string;
  readonly affected?: ReactNode;
  /** What will happen. */
  readonly text: ReactNode;
}

/** Asks before a destructive action: the name must be typed. */
export const confirmByName = ({ title, ...form }: Confirmation): void =>
  openDialog({ title, content: <ConfirmForm {...form} /> });

/** The form of `confirmByName`. */
const ConfirmForm = ({ name, action, affected, text, ...form }: Omit<Confirmation, 'title'>) => {
  const { values, text: field } = useFields({ typed: '' });
  return (
    <DialogForm
      {...form}
      color="brick"
      canSubmit={values.typed === name}
      action={action}
      override={{ code: 'in_use', label: 'Delete anyway: I know that it is in use.' }}
    >
      <Text component="div">{text}</Text>
      {affected}
      <TextInput
        data-autofocus
        label={
          <>
            Type{' '}
            <Code className="cv-break" style={{ whiteSpace: 'pre-wrap' }}>
              {name}
            </Code>{' '}
            to confirm
          </>
        }
        {...field('typed')}
        spellCheck={false}
      />
    </DialogForm>
  );
};

/** Asks before an API key is revoked. `follow` is called afterwards. */
export const confirmRevocation = (
  { keyId, name, affected }: { keyId: string; name: string; affected?: ReactNode },
  follow: () => void,
): void =>
  confirmByName({
    title: 'Revoke the API key',
    name,
    verb: 'Revoke',
    action: async () => {
      await reloaderOf(['api-keys'])(call(keysRevoke, { params: { keyId } }));
      follow();
    },
    done: `${name} is revoked.`,
    affected,
    text: `${name} is rejected from the next request on. This cannot be undone.`,
  });

interface DeleteMenuProps {
  /** What is deleted: `prompt` or `secret`. */
  kind: string;
  name: string;
  /** Deletes it; `confirmed` as in `confirmByName`. */
  remove: (confirmed: boolean) => Promise<unknown>;
  /** Where the deletion leads. */
  list: NavigateOptions;
  /** Why the operator cannot delete it. */
  refusal?: string | undefined;
  affected: ReactNode;
  /** What will happen. */
  text: ReactNode;
  /** Items above it. */
  items?: MenuItems;
}

/** A menu that deletes what the screen shows; it can be restored for some days. */
export const DeleteMenu = ({ kind, name, remove, list, refusal, items = {}, ...what }: DeleteMenuProps) => {
  const leadOn = useLeadOn();
  const action = async (confirmed: boolean) => {
    await remove(confirmed);
    await leadOn(list);
  };
  const title = `Delete the ${kind}`;
  const done = `${name} is deleted. It can be restored for ${LIMITS.restoreDays} days.`;
  return (
    <MoreMenu
      variant="default"
      size={30}
      label="More actions"
      {...{ items, refusal }}
      dangers={{
        [title]: refusal ? null : () => confirmByName({ title, name, verb: 'Delete', action, done, ...what }),
      }}
    />
  );
};

interface DeletePromptsProps {
  which: Pick<NonNullable<CallInput<typeof promptsDeleteSeveral>['body']>, 'folder' | 'createdByKey'>;
  /** The name to type. */
  name: string;
  /** Which prompts, such as `All prompts in the folder`, before the name. */
  what: string;
}

const reloadAfter = reloaderOf(['prompts']);
const NAMED_PROMPTS = 5;

/**
 * Deletes them call by call. Errors: `in_use` with the first prompts that are, after all others are deleted; those of
 * `call`.
 */
const deleteAll = async (
  { which }: DeletePromptsProps,
  confirm: boolean,
  say: (progress: string) => void,
): Promise<number> => {
  let deleted = 0;
  const kept: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const body = { ...which, confirm, cursor };
    const page = await call(promptsDeleteSeveral, { body });
    deleted += page.deleted.length;
    kept.push(...page.kept.map(({ message }) => messageOf(new ApiError(message, { status: 409 }))));
    const left = `${page.more ? 'more than ' : ''}${inDigits(page.left)} left`;
    say(`${counted(deleted, 'prompt')} deleted, ${inDigits(kept.length)} kept, ${left}.`);
    cursor = page.cursor;
    if (cursor === undefined) break;
  }
  if (kept.length === 0) return deleted;
  const rest = kept.length > NAMED_PROMPTS ? ` And ${inDigits(kept.length - NAMED_PROMPTS)} more.` : '';
  const sentence = `${counted(kept.length, 'prompt')} still exist${kept.length === 1 ? 's' : ''}: ${kept.slice(0, NAMED_PROMPTS).join(' ')}${rest}`;
  throw new ApiError(sentence, { status: 409, code: 'in_use' });
};

const DeletePrompts = (props: DeletePromptsProps) => {
  const [progress, setProgress] = useState('');
  return (
    <ConfirmForm
      name={props.name}
      verb="Delete"
      action={async (confirmed) => {
        const deleted = await reloadAfter(deleteAll(props, confirmed, setProgress));
        notifyDone(`${counted(deleted, 'prompt')} deleted, to be restored for ${LIMITS.restoreDays} days.`);
      }}
      affected={
        <Text role="status" fw={600}>
          {progress}
        </Text>
      }
      text={
        <>
          {props.what} <strong className="cv-break">{props.name}</strong> are deleted, and callers that fetch
          them get an error. Those in use stay until you confirm that too. Each can be restored for{' '}
          {LIMITS.restoreDays} days.
        </>
      }
    />
  );
};

/** Asks before many prompts are deleted: the name must be typed. */
export const confirmDeletionOfPrompts = (props: DeletePromptsProps): void =>
  openDialog({ title: 'Delete prompts', content: <DeletePrompts {...props} /> });
