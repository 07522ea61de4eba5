import { Badge, Group, Stack, Table, Text } from '@mantine/core';
import type { Content } from '../../../../../contract/content/content.ts';
import { variablesIn } from '../../../../../contract/templates.ts';
import { byNeed } from '../../../components/by-need.tsx';
import { counted } from '../../../components/count.ts';
import { changesOf } from '../editor/review/breaking.ts';
import { fieldChanges, type PartChange, partChanges } from './differences.ts';
import classes from './messages.module.css';

const TemplateDiff = byNeed('template-diff', () => import('./template-diff-view.tsx'));

interface ContentChangesProps {
  readonly before: Content;
  readonly after: Content;
  /** The two with their fragments in place. */
  readonly expanded?: readonly [before: Content, after: Content];
  /** Label of the two for screen readers. */
  readonly labels: readonly [before: string, after: string];
  /** @default "inline" */
  readonly mode?: 'side' | 'inline';
}

/** The differences of two contents: variables, tags, fields, and the texts, message by message. */
export const ContentChanges = ({ before, after, expanded, labels, mode = 'inline' }: ContentChangesProps) => (
  <Stack gap="sm">
    <Names title="Variables" {...changesOf(variablesIn(before), variablesIn(after))} />
    <Names title="Fragments" {...changesOf(before.includes ?? [], after.includes ?? [])} />
    <Names title="Tags" {...changesOf(before.tags ?? [], after.tags ?? [])} />
    <Fields before={before} after={after} />
    <Texts before={before} after={after} labels={labels} mode={mode} />
    {expanded && !isEqual(before.includes, after.includes) && (
      <Stack component="section" gap="xs" aria-label="With fragments">
        <Text fw={600}>What applications get, with the fragments in place:</Text>
        <Names title="Variables" {...changesOf(variablesIn(expanded[0]), variablesIn(expanded[1]))} />
        <Texts
          before={expanded[0]}
          after={expanded[1]}
          labels={[`${labels[0]} with fragments`, `${labels[1]} with fragments`]}
          mode={mode}
        />
      </Stack>
    )}
  </Stack>
);

// Versions of fragments never change: without another one, the texts above say all.
const isEqual = (a: readonly string[] = [], b: readonly string[] = []): boolean =>
  a.length === b.length && a.every((include) => b.includes(include));

// Names are shown in full before publishing.
const WRAPPING = {
  root: { height: 'auto', maxWidth: '100%' },
  label: { whiteSpace: 'normal', overflowWrap: 'anywhere' },
} as const;

interface NamesProps {
  readonly title: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

const Names = ({ title, added, removed }: NamesProps) =>
  added.length + removed.length === 0 ? null : (
    <Group gap={6}>
      <Text fw={600}>{title}</Text>
      {removed.map((name) => (
        <Badge size="md" key={name} color="brick" styles={WRAPPING}>
          − {name}
        </Badge>
      ))}
      {added.map((name) => (
        <Badge size="md" key={name} color="spruce" styles={WRAPPING}>
          + {name}
        </Badge>
      ))}
    </Group>
  );

const Fields = ({ before, after }: Pick<ContentChangesProps, 'before' | 'after'>) => {
  const changes = fieldChanges(before, after);
  if (changes.length === 0) return null;
  return (
    <Table
      withTableBorder
      layout="fixed"
      className={classes.fields}
      data={{
        head: ['Field', 'Before', 'After'],
        body: changes.map(({ path, before: earlier, after: later }) => [
          <Value key="path" text={path} />,
          <Value key="before" text={earlier} />,
          <Value key="after" text={later} />,
        ]),
      }}
    />
  );
};

const Value = ({ text }: { text: string | undefined }) =>
  text === undefined ? (
    <Text span c="dimmed">
      none
    </Text>
  ) : (
    <span className="cv-mono cv-break" style={{ whiteSpace: 'pre-wrap' }}>
      {text}
    </span>
  );

const Texts = ({ before, after, labels, mode }: Required<Omit<ContentChangesProps, 'expanded'>>) => {
  const changes = partChanges(before, after);
  if (changes.every(({ kind }) => kind === 'same')) {
    const what = after.type === 'chat' ? 'The messages are the same.' : 'The text is the same.';
    return <Text role="status">{what}</Text>;
  }
  if (before.type !== 'chat' && after.type !== 'chat')
    return <TemplateDiff before={before.prompt} after={after.prompt} mode={mode} labels={labels} />;
  return <Parts changes={changes} labels={labels} mode={mode} />;
};

interface PartsProps extends Required<Pick<ContentChangesProps, 'labels' | 'mode'>> {
  readonly changes: readonly PartChange[];
}

/** Every change of a message; equal ones in between are only counted. */
const Parts = ({ changes, labels, mode }: PartsProps) => {
  const shown = changes.map((change, index) => ({ change, index }));
  return shown.map(({ change, index }) => {
    if (change.kind !== 'same') return <Part key={index} change={change} labels={labels} mode={mode} />;
    if (changes[index - 1]?.kind === 'same') return null;
    const next = changes.findIndex(({ kind }, at) => at > index && kind !== 'same');
    const many = (next === -1 ? changes.length : next) - index;
    return (
      <Text key={index} c="dimmed">
        {counted(many, 'message')} unchanged
      </Text>
    );
  });
};

const WORDS = {
  changed: ['Changed', 'amber'],
  added: ['Added', 'spruce'],
  removed: ['Removed', 'brick'],
  same: ['', 'gray'],
} as const;

const Part = ({ change, labels, mode }: { change: PartChange } & Omit<PartsProps, 'changes'>) => {
  const title = (change.after ?? change.before).title;
  const [word, color] = WORDS[change.kind];
  const named = `${word} message: ${title}`;
  return (
    <section aria-label={named}>
      <Group gap={6} mb={4}>
        <Badge color={color}>{word}</Badge>
        <Text fw={600}>{title}</Text>
      </Group>
      {change.kind === 'changed' ? (
        <TemplateDiff
          before={change.before.text}
          after={change.after.text}
          mode={mode}
          labels={[`${title} of ${labels[0]}`, `${title} of ${labels[1]}`]}
        />
      ) : (
        <div className={classes.text} data-kind={change.kind}>
          {(change.after ?? change.before).text}
        </div>
      )}
    </section>
  );
};
