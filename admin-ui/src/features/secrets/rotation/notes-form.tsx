import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { LIMITS, utf8Bytes } from '../../../../../contract/limits.ts';
import { DialogForm } from '../../../components/dialogs/dialog-form.tsx';
import { LeaveGuard } from '../../../components/dialogs/leave-guard.tsx';
import { changeNotes } from '../secret-changes.ts';
import type { Secret } from '../secret-queries.ts';

/** Changes the note of a secret and the day of its next rotation. */
export const NotesForm = ({ secret }: { readonly secret: Secret }) => {
  const [note, setNote] = useState(secret.note ?? '');
  const [rotateBy, setRotateBy] = useState(secret.rotateBy ?? '');
  const isTooLong = utf8Bytes(note) > LIMITS.secretNoteBytes;
  const isChanged = note !== (secret.note ?? '') || rotateBy !== (secret.rotateBy ?? '');
  return (
    <DialogForm
      verb="Save"
      canSubmit={!isTooLong}
      action={() => changeNotes(secret.secretId, { note: note.trim(), rotateBy })}
      done={`The note and the date of ${secret.key} are saved.`}
    >
      <Textarea
        label="Note"
        description="For operators, such as where the credential is issued. Every operator sees it, so it must not contain a secret."
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        error={isTooLong && `A note has at most ${LIMITS.secretNoteBytes} bytes.`}
        autosize
        minRows={2}
        maxRows={8}
        data-autofocus
      />
      <TextInput
        type="date"
        label="Rotate by"
        description="The overview lists the secret from 14 days before this day. Leave it empty for no date."
        value={rotateBy}
        onChange={(event) => setRotateBy(event.currentTarget.value)}
        w={220}
      />
      <LeaveGuard when={isChanged} />
    </DialogForm>
  );
};
