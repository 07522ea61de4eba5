import { Anchor, Badge, Button, Checkbox, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type DragEvent, type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { secretsImport } from '../../../../contract/endpoints/secrets.ts';
import { DEFAULT_ENVIRONMENT } from '../../../../contract/fields/patterns.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { type CallInput, call, type ReplyOf } from '../../api/client.ts';
import { useLeadOn } from '../../api/leaving.ts';
import { useCan } from '../../api/session-context.tsx';
import { useAction } from '../../api/use-action.ts';
import { Columns, Muted, Panel, RowButton, Small } from '../../components/basics.tsx';
import { LeaveGuard, notifyDone, Refusal, useConfirmation, useFields } from '../../components/dialogs.tsx';
import { useEnvironments } from '../../components/environments.tsx';
import { countedIfAny, inDigits, joined } from '../../components/locale.ts';
import { Breakable, Screen } from '../../components/screen.tsx';
import { ErrorState, Loading, screenFor } from '../../components/states.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import { EnvironmentChoice } from '../../components/tables/filters.tsx';
import { NameMark } from './name-warning.tsx';
import {
  allSecretsQuery,
  changeSecrets,
  currentVault,
  restoreRevision,
  type SecretRow,
  secretQuery,
} from './secret-queries.ts';
import { TagsField, WideningWarning } from './tag-readers.tsx';
import { secretText } from './value-input.tsx';

const PAUSE_MS = 300;

type ImportPreview = ReplyOf<typeof secretsImport>;
/** What to import: a `.env` text, tags to add, and keys to leave out. */
type ImportInput = Required<
  Pick<NonNullable<CallInput<typeof secretsImport>['body']>, 'environment' | 'text' | 'tags' | 'skip'>
>;

/** Requests a preview of the import whenever typing pauses, and forgets it with the screen. */
const useImportPreview = (typed: ImportInput) => {
  const input = typed.text.trim() && JSON.stringify(typed);
  const [asked] = useDebouncedValue(input, PAUSE_MS);
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery({
    queryKey: ['import', asked],
    queryFn: ({ signal }) => call(secretsImport, { body: { ...JSON.parse(asked), dryRun: true }, signal }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  });
  return {
    preview: input === '' ? undefined : data,
    error,
    /** Whether the preview belongs to an earlier input than the one on the screen. */
    isOld: input !== '' && (asked !== input || isPlaceholderData || isPending),
    retry: () => void refetch(),
  };
};

interface Line {
  readonly line: number;
  readonly key?: string;
  readonly isNew?: boolean;
  readonly problem?: string;
  readonly note?: string | undefined;
}

/** Errors come first: they must be fixed or skipped before anything is stored. */
const linesOf = ({ assignments, problems, notes }: ImportPreview): Line[] => [
  ...problems.map(({ line, message }) => ({ line, problem: message })),
  ...assignments.map((each) => ({
    ...each,
    note: notes.find(({ line }) => line === each.line)?.message,
  })),
];

/** The result of an import in a few words. */
const summaryOf = ({ created, updated, problems }: ImportPreview): string =>
  joined(
    [
      countedIfAny(created.length, 'new secret'),
      countedIfAny(updated.length, 'new value'),
      countedIfAny(problems.length, 'line to fix', 'lines to fix'),
    ],
    ', ',
  ) || 'nothing to import';

interface Skipped {
  /** The keys that are left out. */
  readonly skip: string[];
  /** Whether the lines with errors are left out. */
  readonly skipsProblems: boolean;
}

interface ImportPreviewProps extends Skipped {
  environment: string;
  state: ReturnType<typeof useImportPreview>;
  set: (skipped: Partial<Skipped>) => void;
  /** Shows a line in the text. */
  onLine: (line: number) => void;
}

/** What each line of a `.env` text would do. */
const ImportPreviewPanel = (props: ImportPreviewProps) => {
  const { environment, state, skip, skipsProblems, set, onLine } = props;
  const { preview, error, isOld, retry } = state;
  const existing = preview?.assignments.filter(({ isNew }) => !isNew).map(({ key }) => key) ?? [];
  const readBy = useReaders(environment, existing);
  if (error !== null && !isOld) return <ErrorState error={error} retry={retry} />;
  if (preview === undefined) return isOld ? <Loading label="Reading the text" /> : <Empty />;
  const lines = linesOf(preview);
  const isSkipping = existing.every((key) => skip.includes(key));
  const toggle = (key: string) =>
    set({ skip: skip.includes(key) ? skip.filter((other) => other !== key) : [...skip, key] });
  const columns: readonly Column<Line>[] = [
    {
      title: 'Line',
      width: '4rem',
      cell: ({ line }) => (
        <Anchor
          component="button"
          type="button"
          onClick={() => onLine(line)}
          aria-label={`Go to line ${line}`}
        >
          {line}
        </Anchor>
      ),
    },
    {
      title: 'Key',
      cell: ({ key = '', problem, note }) =>
        problem === undefined ? (
          <span className="cv-mono cv-break">
            <Breakable text={key} /> <NameMark name={key} />
            {readBy(key)}
            {note && (
              <Small c="amber" ff="text">
                The value {note}.
              </Small>
            )}
          </span>
        ) : (
          <Text c="brick">This line {problem}.</Text>
        ),
    },
    {
      title: 'Action',
      width: '8rem',
      cell: ({ key, isNew, problem }) =>
        key === undefined || problem !== undefined ? (
          <Badge size="md" color={skipsProblems ? 'gray' : 'brick'}>
            {skipsProblems ? 'skip' : 'invalid'}
          </Badge>
        ) : (
          <Checkbox
            aria-label={`Import ${key}`}
            label={outcomeOf(skip.includes(key), isNew)}
            checked={!skip.includes(key)}
            onChange={() => toggle(key)}
          />
        ),
    },
  ];
  return (
    <div style={isOld ? { opacity: 0.6 } : undefined}>
      <Text mb="xs" role="status">
        {isOld ? 'Reading the text…' : `This text contains ${summaryOf(preview)}.`}
      </Text>
      <Group mb="xs">
        {existing.length > 0 && (
          <RowButton onClick={() => set({ skip: isSkipping ? [] : existing })}>
            {isSkipping ? 'Overwrite those that exist' : 'Skip those that exist'}
          </RowButton>
        )}
        {preview.problems.length > 0 && (
          <RowButton disabled={isOld} onClick={() => set({ skipsProblems: !skipsProblems })}>
            {skipsProblems ? 'Do not skip the lines to fix' : 'Skip the lines to fix'}
          </RowButton>
        )}
      </Group>
      {lines.length > 0 && (
        <DataTable
          label="What each line does"
          columns={columns}
          rows={lines}
          rowKey={({ line, problem }) => `${line} ${problem ?? ''}`}
        />
      )}
    </div>
  );
};

const Empty = () => (
  <Muted>
    Paste or drop a <code>.env</code> text. Here you see what each line would do. Nothing is stored before you
    press the button.
  </Muted>
);

/** More overwrites than these name only the last reader of each: more would be a call for each. */
const READ_OVERWRITES = 20;

/** Who reads the secret of a key, and so gets its new value. */
const useReaders = (environment: string, updated: readonly string[]) => {
  const { data = [] } = useQuery({ ...allSecretsQuery(environment), enabled: updated.length > 0 });
  const byKey = new Map(data.map((secret) => [secret.key, secret]));
  return (key: string): ReactNode => {
    const secret = byKey.get(key);
    return secret?.lastRead && <ReadBy secret={secret} isDetailed={updated.length <= READ_OVERWRITES} />;
  };
};

const ReadBy = ({ secret, isDetailed }: { secret: SecretRow; isDetailed: boolean }) => {
  const { data } = useQuery({ ...secretQuery(secret), enabled: isDetailed });
  const names =
    data?.readers.filter(({ allowed, reads }) => allowed && reads > 0).map(({ apiKeyName }) => apiKeyName) ??
    [];
  return (
    <Small c="amber" ff="text">
      {names.length > 0 ? `read by ${names.join(', ')}` : `last read by ${secret.lastRead?.apiKeyName}`}
    </Small>
  );
};

const outcomeOf = (isSkipped: boolean, isNew: boolean | undefined) => {
  const [word, color] = isSkipped ? ['skip', 'gray'] : isNew ? ['new', 'spruce'] : ['overwrite', 'amber'];
  return (
    <Badge size="md" color={color}>
      {word}
    </Badge>
  );
};

const selectLine = (field: HTMLTextAreaElement | null, line: number): void => {
  if (field === null) return;
  const lines = field.value.split('\n');
  const start = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
  field.focus();
  field.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  field.scrollTop = (field.scrollHeight / lines.length) * Math.max(0, line - 4);
};

export const ImportSecretsScreen = screenFor('editor', 'import secrets', () => {
  const leadOn = useLeadOn();
  const can = useCan();
  const field = useRef<HTMLTextAreaElement>(null);
  const environments = useEnvironments();
  const asked = useSearch({ strict: false }).environment;
  const { values, set } = useFields({
    text: '',
    tags: [] as string[],
    skip: [] as string[],
    skipsProblems: false,
    // Chosen before the text if there are several: importing into another one would overwrite its values.
    chosen: asked ?? null,
  });
  const { text, tags, skip, skipsProblems, chosen } = values;
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
  const [confirmed, confirm] = useConfirmation(JSON.stringify([input, skipLines]));
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
      before &&
        (async () => {
          // Unless something else has changed since.
          await restoreRevision(input.environment, before.revision, false, before.revision + 1);
          return 'The secrets are as before the import.';
        }),
    );
    await leadOn({ to: '/secrets', search: asked ? { environment: asked } : {}, ignoreBlocker: true });
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
            onChange={(name) => set({ chosen: name, skip: [], skipsProblems: false })}
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
            onChange={(next) => set({ tags: next, skipsProblems: false })}
            label="Tags for all of them"
            description="In addition to the tags that a secret already has."
          />
          <WideningWarning names={widened} confirmed={confirmed} onConfirm={confirm} />
        </Stack>
        <Panel title={environments.length > 1 && environment ? `Preview for ${environment}` : 'Preview'}>
          {environment === undefined && <Muted>Choose the environment beside the button.</Muted>}
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
});

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
