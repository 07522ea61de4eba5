import { defineLanguageFacet, HighlightStyle, Language, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, type Extension, type Text } from '@codemirror/state';
import { tags } from '@lezer/highlight';
import { parser as json } from '@lezer/json';
import { parser as markdown, parseCode } from '@lezer/markdown';

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
export const templateLanguage = (text: string): Extension => {
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
