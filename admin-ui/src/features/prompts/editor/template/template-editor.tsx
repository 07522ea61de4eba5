import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { search, searchKeymap } from '@codemirror/search';
import { Annotation, EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers, type ViewUpdate } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { type TextChange, withChanges } from './line-breaks.ts';
import { templateLanguage } from './template-language.ts';
import { look } from './template-look.ts';
import { placeholders } from './template-placeholders.ts';

export interface TemplateEditorProps {
  readonly value: string;
  /** Label of the text for screen readers. */
  readonly label: string;
  readonly onChange: (value: string) => void;
}

// Mod-Enter publishes; by default it inserts a line.
const typing = defaultKeymap.filter(({ key }) => key !== 'Mod-Enter');

/** Marks text that was set, not typed. */
const isPut = Annotation.define<true>();

const changesOf = ({ changes }: ViewUpdate): TextChange[] => {
  const found: TextChange[] = [];
  changes.iterChanges((from, to, _fromNow, _toNow, inserted) =>
    found.push({ from, to, insert: inserted.toString() }),
  );
  return found;
};

/** The text of a template as Markdown or JSON with its placeholders marked. Tab leaves the field, Ctrl+F searches. */
export const TemplateEditor = ({ value, label, onChange }: TemplateEditorProps) => {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  // With its original line breaks; the editor supports only one kind.
  const text = useRef(value);
  const report = useRef(onChange);
  report.current = onChange;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new value is set in the existing editor
  useEffect(() => {
    if (host.current === null) return;
    text.current = value;
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: value,
        extensions: [
          look,
          templateLanguage(value),
          placeholders,
          lineNumbers(),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', 'data-autofocus': '' }),
          history(),
          search({ top: true }),
          keymap.of([...typing, ...historyKeymap, ...searchKeymap]),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged || update.transactions.some((one) => one.annotation(isPut))) return;
            text.current = withChanges(text.current, changesOf(update), update.state.doc.toString());
            report.current(text.current);
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label]);

  useEffect(() => {
    const editor = view.current;
    if (editor === undefined || text.current === value) return;
    text.current = value;
    const changes = { from: 0, to: editor.state.doc.length, insert: value };
    editor.dispatch({ changes, annotations: isPut.of(true) });
  }, [value]);

  return <div ref={host} />;
};
