import { Text } from '@mantine/core';
import { useState } from 'react';
import { promptsDeleteSeveral } from '../../../../contract/endpoints/prompts.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { type CallInput, call } from '../../api/client.ts';
import { reloaderOf } from '../../api/queries.ts';
import { counted } from '../count.ts';
import { inDigits } from '../locale.ts';
import { ConfirmForm } from './confirm-by-name.tsx';
import { openDialog } from './dialog.tsx';
import { notifyDone } from './notify.tsx';

interface DeletePromptsProps {
  readonly which: Pick<
    NonNullable<CallInput<typeof promptsDeleteSeveral>['body']>,
    'folder' | 'createdByKey'
  >;
  /** The name to type. */
  readonly name: string;
  /** Which prompts, such as `All prompts in the folder`, before the name. */
  readonly what: string;
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
    const body = { ...which, confirm, ...(cursor !== undefined && { cursor }) };
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
        <Text size="md" role="status" fw={600}>
          {progress}
        </Text>
      }
      text={
        <>
          {props.what} <strong className="cv-break">{props.name}</strong> are deleted, and callers that fetch
          them get an error. Those in use stay until you confirm that too. Each can be restored for{' '}
          {LIMITS.restoreDays} days. If you close this window meanwhile, open it again to continue.
        </>
      }
    />
  );
};

/** Asks before many prompts are deleted: the name must be typed. */
export const confirmDeletionOfPrompts = (props: DeletePromptsProps): void =>
  openDialog({ title: 'Delete prompts', content: <DeletePrompts {...props} /> });
