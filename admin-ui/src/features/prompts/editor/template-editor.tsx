import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { defineLanguageFacet, HighlightStyle, Language, syntaxHighlighting } from '@codemirror/language';
import { search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, StateField, type Text } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { parser as json } from '@lezer/json';
import { parser as markdown, parseCode } from '@lezer/markdown';
import { useEffect, useRef } from 'react';
import { isOfBlock } from '../../../../../contract/content/blocks.ts';
import { FRAGMENT } from '../../../../../contract/content/fragments.ts';
import { PLACEHOLDER } from '../../../../../contract/content/templates.ts';
import { escaped, INVISIBLE } from '../../../../../contract/content/visible.ts';
import { lineBreaksOf } from './line-breaks.ts';
import { strayBracesOf } from './stray-braces.ts';

export interface TemplateEditorProps {
  value: string;
  label: string;
  onChange: (value: string) => void;
}

// Of mixed line ends, the return stays unseen: End stops before it, and what is typed there does not part it from its line feed.
const HIDDEN = new RegExp(`(?!\\r$)${INVISIBLE.source}`, INVISIBLE.flags);

/** An invisible character as the review shows it. */
const escapeOf = (code: number): HTMLElement => {
  const shown = document.createElement('span');
  shown.className = 'cm-specialChar';
  shown.textContent = escaped(String.fromCodePoint(code));
  return shown;
};

// Mod-Enter publishes; by default it inserts a line.
const typing = defaultKeymap.filter(({ key }) => key !== 'Mod-Enter');

/** The text of a template as Markdown or JSON with its placeholders marked. Tab leaves the field, Ctrl+F searches. */
export const TemplateEditor = ({ value, label, onChange }: TemplateEditorProps) => {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
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
          lineBreaksOf(value),
          look,
          templateLanguage(value),
          placeholders,
          highlightSpecialChars({ specialChars: HIDDEN, render: escapeOf }),
          lineNumbers(),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', 'data-autofocus': '' }),
          history(),
          search({ top: true }),
          keymap.of([...typing, ...historyKeymap, ...searchKeymap]),
          EditorView.updateListener.of(({ docChanged, state }) => {
            const shown = state.sliceDoc();
            if (!docChanged || shown === text.current) return;
            text.current = shown;
            report.current(shown);
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
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  return <div ref={host} />;
};

const MARKDOWN = new Language(
  defineLanguageFacet(),
  markdown.configure(parseCode({ codeParser: (info) => (/^json\b/i.test(info) ? json : null) })),
  [],
  'markdown',
);
const JSON_TEXT = new Language(defineLanguageFacet(), json, [], 'json');

const style = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '700' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: [tags.monospace, tags.string], color: 'var(--mantine-color-slate-text)' },
  { tag: [tags.link, tags.url], color: 'var(--mantine-color-anchor)' },
  { tag: tags.propertyName, color: 'var(--mantine-color-anchor)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--mantine-color-plum-text)' },
  { tag: [tags.processingInstruction, tags.quote], color: 'var(--mantine-color-dimmed)' },
]);

// A JSON object or array, not a placeholder or a Markdown link.
const JSON_START = /^\s*(?:\{\s*["}]|\[\s*["{[\]\d])/;
const START_LENGTH = 200;

const languageOf = (text: Text): Language =>
  JSON_START.test(text.sliceString(0, START_LENGTH)) ? JSON_TEXT : MARKDOWN;

/** Colors a text as JSON if it begins like it, otherwise as Markdown with JSON in fenced blocks. */
const templateLanguage = (text: string): Extension => {
  const current = new Compartment();
  return [
    current.of(JSON_START.test(text) ? JSON_TEXT : MARKDOWN),
    EditorState.transactionExtender.of(({ docChanged, startState, newDoc }) => {
      if (!docChanged || languageOf(startState.doc) === languageOf(newDoc)) return null;
      return { effects: current.reconfigure(languageOf(newDoc)) };
    }),
    syntaxHighlighting(style),
  ];
};

const placeholder = Decoration.mark({ class: 'cm-cue-placeholder' });
const stray = Decoration.mark({ class: 'cm-cue-stray' });

// The whole text is searched, since blanks inside the braces may be line breaks.
const marksOf = (doc: Text): DecorationSet => {
  const text = doc.toString();
  const marks = [
    ...[PLACEHOLDER, FRAGMENT].flatMap((pattern) =>
      Array.from(text.matchAll(pattern)).flatMap(({ 0: found, 1: name = '', index }) =>
        isOfBlock(name) ? [] : placeholder.range(index, index + found.length),
      ),
    ),
    ...strayBracesOf(text).map(({ text: found, at }) => stray.range(at, at + found.length)),
  ];
  return Decoration.set(marks, true);
};

/** Marks the placeholders and fragments of a template by the rule that the service compiles with, and what only looks like one. */
const placeholders: Extension = StateField.define<DecorationSet>({
  create: ({ doc }) => marksOf(doc),
  update: (marks, { docChanged, state }) => (docChanged ? marksOf(state.doc) : marks),
  provide: (field) => EditorView.decorations.from(field),
});

// The theme's own colors.
const look = EditorView.theme({
  '&': {
    fontSize: '0.8rem',
    backgroundColor: 'var(--mantine-color-body)',
    color: 'var(--mantine-color-text)',
    border: '1px solid var(--cv-line)',
    borderRadius: 'var(--mantine-radius-sm)',
    overflow: 'hidden',
  },
  '&.cm-focused': { outline: '2px solid var(--mantine-color-spruce-5)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.6' },
  '.cm-content': { padding: '0.5rem 0', caretColor: 'var(--mantine-color-text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--cv-page)',
    color: 'var(--mantine-color-dimmed)',
    borderRight: '1px solid var(--cv-line)',
  },
  '.cm-cue-placeholder': {
    backgroundColor: 'var(--cv-mark)',
    color: 'var(--cv-mark-text)',
    borderRadius: '3px',
  },
  '.cm-cue-placeholder *': { color: 'inherit' },
  '.cm-specialChar': { color: 'var(--mantine-color-brick-text)' },
  '.cm-cue-stray': {
    textDecoration: 'underline wavy var(--mantine-color-amber-text)',
    textUnderlineOffset: '3px',
  },
  '.cm-panels, .cm-panels.cm-panels-top': {
    backgroundColor: 'var(--cv-page)',
    color: 'var(--mantine-color-text)',
    borderColor: 'var(--cv-line)',
  },
  '.cm-panel.cm-search': { padding: '0.4rem 2rem 0.4rem 0.5rem', fontFamily: 'var(--mantine-font-family)' },
  '.cm-panel.cm-search label': { fontSize: '0.75rem', whiteSpace: 'nowrap' },
  '.cm-panel.cm-search [name=close]': {
    width: '24px',
    height: '24px',
    color: 'inherit',
    fontSize: '1rem',
    cursor: 'pointer',
  },
  '.cm-textfield, .cm-button': {
    minHeight: '24px',
    border: '1px solid var(--cv-line)',
    borderRadius: 'var(--mantine-radius-sm)',
    background: 'var(--mantine-color-body)',
    color: 'inherit',
    fontSize: '0.75rem',
  },
  '.cm-searchMatch': {
    backgroundColor: 'color-mix(in srgb, var(--mantine-color-amber-5) 30%, transparent)',
  },
  '.cm-searchMatch.cm-searchMatch-selected': {
    backgroundColor: 'color-mix(in srgb, var(--mantine-color-amber-5) 60%, transparent)',
  },
});
