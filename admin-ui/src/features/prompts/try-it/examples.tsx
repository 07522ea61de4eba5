import { Button, Group } from '@mantine/core';
import type { JsonObject } from '../../../../../contract/fields/fields.ts';
import { useRole } from '../../../api/session-context.tsx';
import { useAction } from '../../../api/use-action.ts';
import { notifyDone } from '../../../components/dialogs/notify.tsx';
import { Refusal } from '../../../components/dialogs/refusal.tsx';
import { RowButton, Small } from '../../../components/small.tsx';
import { When } from '../../../components/when.tsx';
import { saveExamples } from '../prompt-changes.ts';
import type { PromptDetails } from '../prompt-queries.ts';

interface ExamplesProps {
  readonly promptId: string;
  readonly examples: PromptDetails['examples'];
  /** The values in the form. */
  readonly values: JsonObject;
  readonly onUse: (values: JsonObject) => void;
}

/** Saves the values of the form as the example values of the prompt, and loads saved ones. */
export const Examples = ({ promptId, examples, values, onUse }: ExamplesProps) => {
  const { can } = useRole();
  const isEmpty = Object.keys(values).length === 0;
  const isSame = JSON.stringify(values) === JSON.stringify(examples?.values ?? {});
  const { mutate, isPending, error } = useAction(async () => {
    await saveExamples(promptId, values);
    notifyDone(isEmpty ? 'The example values are removed.' : 'The example values are saved.');
  });
  return (
    <div>
      <Group gap="xs">
        {can('editor') && !isSame && (
          <RowButton loading={isPending} onClick={() => mutate()}>
            {isEmpty ? 'Remove the examples' : 'Save as examples'}
          </RowButton>
        )}
        {examples && !isSame && (
          <Button size="compact-xs" variant="subtle" onClick={() => onUse(examples.values)}>
            Use the saved examples
          </Button>
        )}
      </Group>
      <Refusal error={error} />
      <Small mt={4}>
        {examples && (
          <>
            Examples saved <When at={examples.savedAt} short /> by {examples.savedBy}.{' '}
          </>
        )}
        Every operator sees saved examples: do not save secrets in them.
      </Small>
    </div>
  );
};
