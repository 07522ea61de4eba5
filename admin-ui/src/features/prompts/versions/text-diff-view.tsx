import { getChunks, goToNextChunk, goToPreviousChunk, MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension, type StateCommand } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { Group, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { counted } from '../../../components/count.ts';
import { RowButton, Small } from '../../../components/small.tsx';
import { look } from '../editor/template/template-look.ts';
import { type Compared, versionText } from './version-text.ts';

export interface TextDiffProps {
  readonly before: Compared;
  readonly after: Compared;
  readonly mode: 'side' | 'inline';
  readonly labels: readonly [before: string, after: string];
}

interface Texts extends Pick<TextDiffProps, 'mode' | 'labels'> {
  readonly before: string;
  readonly after: string;
}

const UNCHANGED = { margin: 3, minSize: 6 };

const shared = (label: string): Extension => [
  look,
  // Without a number for the end of the text.
  lineNumbers({ formatNumber: (line, { doc }) => (line === doc.lines ? '' : String(line)) }),
  EditorView.lineWrapping,
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
];

const sideBySide = (parent: HTMLElement, { before, after, labels }: Texts) =>
  new MergeView({
    parent,
    a: { doc: before, extensions: shared(labels[0]) },
    b: { doc: after, extensions: shared(labels[1]) },
    collapseUnchanged: UNCHANGED,
    gutter: true,
  });

const inline = (parent: HTMLElement, { before, after, labels }: Texts) =>
  new EditorView({
    parent,
    doc: after,
    extensions: [
      shared(`${labels[1]}, with its changes from ${labels[0]}`),
      unifiedMergeView({
        original: before,
        mergeControls: false,
        gutter: true,
        collapseUnchanged: UNCHANGED,
      }),
    ],
  });

/** The differences of two versions in their file form, and buttons that go from one to the next. */
export const TextDiffView = ({ before: older, after: newer, mode, labels }: TextDiffProps) => {
  const host = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<EditorView>();
  const before = versionText(older);
  const after = versionText(newer);
  const [first, second] = labels;
  useEffect(() => {
    if (host.current === null) return;
    const texts = { before, after, mode, labels: [first, second] as const };
    const made = mode === 'side' ? sideBySide(host.current, texts) : inline(host.current, texts);
    setView(made instanceof MergeView ? made.b : made);
    return () => made.destroy();
  }, [before, after, mode, first, second]);
  if (before === after) return <Text role="status">Both are the same.</Text>;
  return (
    <div>
      {view && <Steps key={`${mode} ${first} ${second}`} view={view} />}
      <div ref={host} />
    </div>
  );
};

const Steps = ({ view }: { view: EditorView }) => {
  const chunks = getChunks(view.state)?.chunks ?? [];
  const [at, setAt] = useState<number>();
  if (chunks.length < 2) return null;
  const go = (command: StateCommand) => () => {
    command(view);
    const { head } = view.state.selection.main;
    const index = chunks.findIndex(({ fromB, toB }) => head >= fromB && head <= toB);
    setAt(index === -1 ? undefined : index);
  };
  return (
    <Group gap="xs" mb="xs">
      <RowButton onClick={go(goToPreviousChunk)}>Previous change</RowButton>
      <RowButton onClick={go(goToNextChunk)}>Next change</RowButton>
      <Small role="status">
        {at === undefined ? counted(chunks.length, 'change') : `Change ${at + 1} of ${chunks.length}`}
      </Small>
    </Group>
  );
};
