import { EditorView } from '@codemirror/view';

/** The look of every editor, in the theme's own colors. */
export const look = EditorView.theme({
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
  '&.cm-merge-b .cm-changedText, .cm-changedText': {
    background: 'color-mix(in srgb, var(--mantine-color-spruce-5) 35%, transparent)',
  },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': {
    background: 'color-mix(in srgb, var(--mantine-color-brick-5) 35%, transparent)',
  },
  '&.cm-merge-b .cm-changedLine, .cm-changedLine, .cm-inlineChangedLine': {
    backgroundColor: 'color-mix(in srgb, var(--mantine-color-spruce-5) 12%, transparent)',
  },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': {
    backgroundColor: 'color-mix(in srgb, var(--mantine-color-brick-5) 12%, transparent)',
  },
  '.cm-collapsedLines': {
    background: 'var(--cv-page)',
    color: 'var(--mantine-color-dimmed)',
    border: 'solid var(--cv-line)',
    borderWidth: '1px 0',
  },
  // The library's sign is missing in most fonts.
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"…"' },
});
