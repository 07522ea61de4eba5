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
