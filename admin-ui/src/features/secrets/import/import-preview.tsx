import { Anchor, Badge, Text } from '@mantine/core';
import { inDigits } from '../../../components/locale.ts';
import { ErrorState, Loading } from '../../../components/states.tsx';
import { type Column, DataTable } from '../../../components/tables/data-table.tsx';
import { NameMark } from '../name-warning.tsx';
import type { ImportPreview } from '../secret-changes.ts';
import type { PreviewState } from './use-import-preview.ts';

interface Line {
  readonly line: number;
  readonly key?: string;
  readonly isNew?: boolean;
  readonly problem?: string;
}

/** Errors come first: they must be fixed before anything is stored. */
const linesOf = ({ assignments, problems }: ImportPreview): Line[] => [
  ...problems.map(({ line, message }) => ({ line, problem: message })),
  ...assignments,
];

const counted = (count: number, one: string, many: string): string[] =>
  count === 0 ? [] : [`${inDigits(count)} ${count === 1 ? one : many}`];

/** The result of an import in a few words. */
export const summaryOf = ({
  created,
  updated,
  problems,
}: Omit<ImportPreview, 'stored' | 'assignments'>): string =>
  [
    ...counted(created.length, 'new secret', 'new secrets'),
    ...counted(updated.length, 'new value', 'new values'),
    ...counted(problems.length, 'line to mend', 'lines to mend'),
  ].join(', ') || 'nothing to import';

export interface ImportPreviewProps {
  readonly state: PreviewState;
  /** Shows a line in the text. */
  readonly onLine: (line: number) => void;
}

/** What each line of a `.env` text would do. */
export const ImportPreviewPanel = ({ state, onLine }: ImportPreviewProps) => {
  const { preview, error, isOld, retry } = state;
  if (error !== undefined && !isOld) return <ErrorState error={error} retry={retry} />;
  if (preview === undefined) return isOld ? <Loading label="Reading the text" /> : <Empty />;
  const lines = linesOf(preview);
  return (
    <div style={isOld ? { opacity: 0.6 } : undefined}>
      <Text size="sm" mb="xs" role="status">
        {isOld ? 'Reading the text…' : `This text holds ${summaryOf(preview)}.`}
      </Text>
      {lines.length > 0 && (
        <DataTable
          label="What each line does"
          columns={columnsOf(onLine)}
          rows={lines}
          rowKey={({ line, problem }) => `${line} ${problem ?? ''}`}
        />
      )}
    </div>
  );
};

const Empty = () => (
  <Text size="sm" c="dimmed">
    Paste or drop a <code>.env</code> text. Here you see, line by line, what is new, what gets a new value and
    what is wrong. Nothing is stored before you press the button, and then all of it or nothing.
  </Text>
);

const columnsOf = (onLine: (line: number) => void): readonly Column<Line>[] => [
  {
    key: 'line',
    title: 'Line',
    width: '4rem',
    cell: ({ line }) => (
      <Anchor
        component="button"
        type="button"
        size="sm"
        onClick={() => onLine(line)}
        aria-label={`Go to line ${line}`}
      >
        {line}
      </Anchor>
    ),
  },
  {
    key: 'key',
    title: 'Key',
    cell: ({ key, problem }) =>
      problem === undefined ? (
        <span className="cv-mono cv-break">
          {key} <NameMark name={key ?? ''} />
        </span>
      ) : (
        <Text size="sm" c="var(--mantine-color-error)">
          This line {problem}.
        </Text>
      ),
  },
  {
    key: 'what',
    title: 'What',
    width: '6.5rem',
    cell: ({ isNew, problem }) => {
      if (problem !== undefined) return <Badge color="brick">invalid</Badge>;
      return isNew ? <Badge color="spruce">new</Badge> : <Badge color="amber">changed</Badge>;
    },
  },
];
