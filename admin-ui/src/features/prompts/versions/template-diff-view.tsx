import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { look } from '../editor/template-look.ts';

export interface TemplateDiffProps {
  readonly before: string;
  readonly after: string;
  readonly mode: 'side' | 'inline';
  /** Label of the two texts for screen readers. */
  readonly labels: readonly [before: string, after: string];
}

const UNCHANGED = { margin: 3, minSize: 6 };

const shared = (label: string): Extension => [
  look,
  lineNumbers(),
  EditorView.lineWrapping,
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
];

const sideBySide = (parent: HTMLElement, { before, after, labels }: TemplateDiffProps) =>
  new MergeView({
    parent,
    a: { doc: before, extensions: shared(labels[0]) },
    b: { doc: after, extensions: shared(labels[1]) },
    collapseUnchanged: UNCHANGED,
    gutter: true,
  });

const inline = (parent: HTMLElement, { before, after, labels }: TemplateDiffProps) =>
  new EditorView({
    parent,
    doc: after,
    extensions: [
      shared(`${labels[1]}, with what it changes of ${labels[0]}`),
      unifiedMergeView({
        original: before,
        mergeControls: false,
        gutter: true,
        collapseUnchanged: UNCHANGED,
      }),
    ],
  });

/** The differences of two templates. */
export const TemplateDiffView = (props: TemplateDiffProps) => {
  const host = useRef<HTMLDivElement>(null);
  const { before, after, mode, labels } = props;
  const [first, second] = labels;
  useEffect(() => {
    if (host.current === null) return;
    const texts = { before, after, mode, labels: [first, second] as const };
    const view = mode === 'side' ? sideBySide(host.current, texts) : inline(host.current, texts);
    return () => view.destroy();
  }, [before, after, mode, first, second]);
  return <div ref={host} />;
};
