import { Anchor, Badge, Checkbox, Group, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { secretsImport } from '../../../../../contract/endpoints/secrets.ts';
import { type CallInput, call, type ReplyOf } from '../../../api/client.ts';
import { RowButton, Small } from '../../../components/basics.tsx';
import { countedIfAny, joined } from '../../../components/locale.ts';
import { Breakable } from '../../../components/screen.tsx';
import { ErrorState, Loading } from '../../../components/states.tsx';
import { type Column, DataTable } from '../../../components/tables/data-table.tsx';
import { NameMark } from '../name-warning.tsx';
import { allSecretsQuery, type SecretRow, secretQuery } from '../secret-queries.ts';

const PAUSE_MS = 300;

type ImportPreview = ReplyOf<typeof secretsImport>;
/** What to import: a `.env` text, tags to add, and keys to leave out. */
type ImportInput = Required<
  Pick<NonNullable<CallInput<typeof secretsImport>['body']>, 'environment' | 'text' | 'tags' | 'skip'>
>;

/** Requests a preview of the import whenever typing pauses, and forgets it with the screen. */
export const useImportPreview = (typed: ImportInput) => {
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
export const summaryOf = ({ created, updated, problems }: ImportPreview): string =>
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
export const ImportPreviewPanel = (props: ImportPreviewProps) => {
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
            size="xs"
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
  <Text c="dimmed">
    Paste or drop a <code>.env</code> text. Here you see what each line would do. Nothing is stored before you
    press the button.
  </Text>
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
