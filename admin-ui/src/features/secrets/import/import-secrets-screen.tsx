import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type DragEvent, type Ref, useEffect, useRef, useState } from 'react';
import { secretsImport } from '../../../../../contract/endpoints/secrets.ts';
import { DEFAULT_ENVIRONMENT } from '../../../../../contract/fields/patterns.ts';
import { LIMITS } from '../../../../../contract/limits.ts';
import { useCan } from '../../../api/session-context.tsx';
import { useAction } from '../../../api/use-action.ts';
import { Columns, Panel, Small } from '../../../components/basics.tsx';
import { LeaveGuard, notifyDone, Refusal, useFields } from '../../../components/dialogs.tsx';
import { useEnvironments } from '../../../components/environments.tsx';
import { inDigits } from '../../../components/locale.ts';
import { Screen } from '../../../components/screen.tsx';
import { screenFor } from '../../../components/states.tsx';
import { EnvironmentChoice } from '../../../components/tables/filters.tsx';
import { changeSecrets, currentVault, restoreRevision } from '../secret-queries.ts';
import { TagsField, WideningWarning } from '../tag-readers.tsx';
import { secretText } from '../value-input.tsx';
import { ImportPreviewPanel, summaryOf, useImportPreview } from './import-preview.tsx';

const selectLine = (field: HTMLTextAreaElement | null, line: number): void => {
  if (field === null) return;
  const lines = field.value.split('\n');
  const start = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
  field.focus();
  field.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  field.scrollTop = (field.scrollHeight / lines.length) * Math.max(0, line - 4);
};

/** Restores the revision before an import, unless something else has changed since. */
const undoTo = async (environment: string, revision: number): Promise<string> => {
  await restoreRevision(environment, revision, false, revision + 1);
  return 'The secrets are as before the import.';
};

const ImportSecrets = () => {
  const navigate = useNavigate();
  const can = useCan();
  const field = useRef<HTMLTextAreaElement>(null);
  const environments = useEnvironments();
  const asked = useSearch({ strict: false }).environment;
  const { values, set } = useFields({
    text: '',
    tags: [] as string[],
    skip: [] as string[],
    skipsProblems: false,
    confirmed: false,
    // Chosen before the text if there are several: importing into another one would overwrite its values.
    chosen: asked ?? null,
  });
  const { text, tags, skip, skipsProblems, confirmed, chosen } = values;
  const environment = chosen ?? (environments.length > 1 ? undefined : DEFAULT_ENVIRONMENT);
  // What a text does depends on where.
  const asks = environment === undefined ? '' : text;
  const input = { environment: environment ?? DEFAULT_ENVIRONMENT, text: asks, tags, skip };
  const state = useImportPreview(input);
  const { assignments = [], problems = [] } = state.preview ?? {};
  const skipLines = skipsProblems ? problems.map(({ line }) => line) : [];
  const count = assignments.filter(
    ({ key, line }) => !skip.includes(key) && !skipLines.includes(line),
  ).length;
  const widened = state.preview?.widened ?? [];
  const isReady =
    !state.isOld && count > 0 && skipLines.length === problems.length && (widened.length === 0 || confirmed);
  const { mutate, isPending, error } = useAction(async () => {
    // Only administrators can restore a revision.
    const before = can('admin') ? await currentVault(input.environment) : undefined;
    const stored = await changeSecrets(secretsImport, {
      query: { confirm: confirmed },
      body: { ...input, skipLines },
    });
    set({ text: '' });
    notifyDone(
      `Imported: ${summaryOf(stored)}.`,
      before && (() => undoTo(input.environment, before.revision)),
    );
    await navigate({ to: '/secrets', search: asked ? { environment: asked } : {}, ignoreBlocker: true });
  });
  const [isPressed, setIsPressed] = useState(false);
  useEffect(() => {
    if (!isPressed || state.isOld) return;
    setIsPressed(false);
    if (isReady) mutate();
  }, [isPressed, state.isOld, isReady, mutate]);
  return (
    <Screen
      actions={
        <>
          <EnvironmentChoice
            value={chosen}
            onChange={(name) => set({ chosen: name, skip: [], skipsProblems: false, confirmed: false })}
            clearable={false}
          />
          <Button
            // A tag that is typed, but not entered, is taken with the click: earlier, its preview would disable the button.
            onMouseDown={(event) => event.preventDefault()}
            onClick={({ currentTarget }) => {
              currentTarget.focus();
              setIsPressed(true);
            }}
            loading={isPending || isPressed}
            disabled={!isReady}
          >
            {isReady ? `Import ${inDigits(count)}` : 'Import'}
            {environments.length > 1 && environment && ` into ${environment}`}
          </Button>
        </>
      }
    >
      <Refusal error={error} mb="md" />
      <Columns>
        <Stack>
          <EnvInput
            text={text}
            onChange={(typed) => set({ text: typed, skipsProblems: false })}
            ref={field}
          />
          <TagsField
            value={tags}
            onChange={(next) => set({ tags: next, skipsProblems: false, confirmed: false })}
            label="Tags for all of them"
            description="In addition to the tags that a secret already has."
          />
          <WideningWarning names={widened} confirmed={confirmed} onConfirm={(is) => set({ confirmed: is })} />
        </Stack>
        <Panel title={environments.length > 1 && environment ? `Preview for ${environment}` : 'Preview'}>
          {environment === undefined && <Text c="dimmed">Choose the environment beside the button.</Text>}
          <ImportPreviewPanel
            environment={input.environment}
            state={state}
            {...{ skip, skipsProblems, set }}
            onLine={(line) => selectLine(field.current, line)}
          />
        </Panel>
      </Columns>
      <LeaveGuard when={text !== ''} />
    </Screen>
  );
};

export const ImportSecretsScreen = screenFor('editor', 'import secrets', ImportSecrets);

const MB = 1024 * 1024;

const EXAMPLE = `# comments are not imported
DATABASE_URL=postgres://app@db/app
export API_TOKEN="in quotes, with a # in it"`;

const readText = async (file: File): Promise<string> => {
  if (file.size > LIMITS.importBytes)
    throw new Error(`${file.name} is larger than ${LIMITS.importBytes / MB} MB.`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new Error(`${file.name} is not a text in UTF-8.`);
  }
};

interface EnvInputProps {
  text: string;
  onChange: (text: string) => void;
  ref: Ref<HTMLTextAreaElement>;
}

/** A field for a `.env` text: typed, pasted, dropped or from a file. */
const EnvInput = ({ text, onChange, ref }: EnvInputProps) => {
  const [over, setOver] = useState(false);
  const [problem, setProblem] = useState<string>();
  const take = async (file: File | null | undefined) => {
    if (!file) return;
    setProblem(undefined);
    try {
      onChange(await readText(file));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'The file cannot be read.');
    }
  };
  const drop = (event: DragEvent) => {
    setOver(false);
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    void take(event.dataTransfer.files[0]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button above the field also takes files
    <div
      style={over ? { outline: '2px dashed var(--mantine-color-spruce-5)', outlineOffset: 3 } : undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Group mb="xs">
        <FileButton onChange={(file) => void take(file)} inputProps={{ 'aria-label': 'A .env file' }}>
          {(props) => (
            <Button {...props} variant="default">
              Choose a file
            </Button>
          )}
        </FileButton>
        <Small>or drop it into the field</Small>
      </Group>
      <Textarea
        ref={ref}
        aria-label="The .env text"
        placeholder={EXAMPLE}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={problem}
        rows={16}
        wrap="off"
        {...secretText(true)}
      />
    </div>
  );
};
