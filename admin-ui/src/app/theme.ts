import { type CSSVariablesResolver, createTheme } from '@mantine/core';
import { amber, brick, charcoal, plum, slate, spruce, stone } from './colors.ts';

const BODY_FONT = "'Public Sans Variable', system-ui, sans-serif";
const TITLE_FONT = "'Lora Variable', Georgia, serif";
const CODE_FONT = "'Source Code Pro Variable', ui-monospace, monospace";

// Names and variables can be long, without spaces.
const BREAKING = { overflowWrap: 'anywhere' } as const;

// Labels count as part of what is pressed.
const TARGET = { minHeight: 24, alignItems: 'center', lineHeight: '1.5rem' } as const;

/** The look of Cuevault: dense, quiet surfaces, spruce green for actions, amber for warnings. */
export const theme = createTheme({
  colors: {
    spruce,
    brick,
    amber,
    slate,
    plum,
    gray: stone,
    dark: charcoal,
    // Components of the library use these by name.
    red: brick,
    yellow: amber,
    green: spruce,
    teal: spruce,
    blue: slate,
  },
  primaryColor: 'spruce',
  primaryShade: { light: 7, dark: 6 },
  black: '#1c2220',
  white: '#ffffff',
  fontFamily: BODY_FONT,
  fontFamilyMonospace: CODE_FONT,
  headings: {
    fontFamily: TITLE_FONT,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.6rem', lineHeight: '1.25' },
      h2: { fontSize: '1.2rem', lineHeight: '1.3' },
      h3: { fontSize: '1.02rem', lineHeight: '1.35' },
    },
  },
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.55', xl: '1.6' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: {
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 0.45 },
        closeButtonProps: { 'aria-label': 'Close' },
        // A dialog's header is not the banner of the page.
        attributes: { header: { role: 'presentation' } },
      },
      styles: {
        title: {
          ...BREAKING,
          fontFamily: TITLE_FONT,
          fontWeight: 600,
          fontSize: '1.1rem',
          lineHeight: 1.3,
          // It stays above the scrolling content and must leave room for it.
          display: '-webkit-box',
          WebkitBoxOrient: 'vertical',
          WebkitLineClamp: 3,
          overflow: 'hidden',
        },
        body: BREAKING,
      },
    },
    Alert: { styles: { body: BREAKING } },
    Notification: {
      defaultProps: { withBorder: true, closeButtonProps: { 'aria-label': 'Close' } },
      styles: { body: BREAKING },
    },
    Tooltip: {
      defaultProps: { withArrow: true, openDelay: 150, events: { hover: true, focus: true, touch: true } },
    },
    Text: { defaultProps: { size: 'sm' } },
    Badge: {
      defaultProps: { size: 'sm', variant: 'light', radius: 'sm', tt: 'none', fw: 500, ff: BODY_FONT },
    },
    Button: { defaultProps: { size: 'xs' }, styles: { root: { minHeight: 24 } } },
    Checkbox: { styles: { body: TARGET, label: TARGET } },
    // Beside the label, not beside what describes it.
    Radio: {
      styles: { body: { ...TARGET, alignItems: 'flex-start' }, inner: { marginTop: 2 }, label: TARGET },
    },
    ActionIcon: {
      defaultProps: { variant: 'subtle', color: 'gray' },
      styles: { root: { minWidth: 24, minHeight: 24 } },
    },
    // The library's focus placeholder is not an item, and a menu may only contain items.
    Menu: { defaultProps: { position: 'bottom-end', withInitialFocusPlaceholder: false } },
    Select: { defaultProps: { allowDeselect: false } },
    JsonInput: { defaultProps: { autosize: true, spellCheck: false, classNames: { input: 'cv-mono' } } },
    Table: { defaultProps: { verticalSpacing: 6, horizontalSpacing: 'sm' } },
    SegmentedControl: {
      defaultProps: { size: 'xs' },
      styles: { root: { border: '1px solid var(--cv-line)' } },
    },
    Anchor: { defaultProps: { size: 'md' } },
  },
});

// The library's own are darker than dark surfaces and look like holes.
const DARK_TINTS: Readonly<Record<string, readonly [surface: string, hover: string, text: string]>> = {
  spruce: ['#1f3b36', '#264842', spruce[1]],
  brick: ['#46231b', '#562b21', brick[1]],
  amber: ['#3b2f14', '#4a3b19', amber[1]],
  slate: ['#213148', '#293d59', slate[1]],
  plum: ['#3a2536', '#482e43', plum[1]],
  gray: ['#2f3734', '#39423f', stone[1]],
};

const darkTints = Object.fromEntries(
  Object.entries(DARK_TINTS).flatMap(([name, [surface, hover, text]]) => [
    [`--mantine-color-${name}-light`, surface],
    [`--mantine-color-${name}-light-hover`, hover],
    [`--mantine-color-${name}-light-color`, text],
  ]),
);

export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-text': '#1c2220',
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-6)',
    '--mantine-color-error': 'var(--mantine-color-brick-7)',
    '--mantine-color-anchor': 'var(--mantine-color-spruce-7)',
    '--cv-page': 'var(--mantine-color-gray-0)',
    '--cv-line': 'var(--mantine-color-gray-3)',
    '--cv-rail': '#10302b',
    '--cv-chosen': 'var(--mantine-color-spruce-0)',
    '--cv-mark': '#fbe7b6',
    '--cv-mark-text': '#4f3600',
  },
  dark: {
    ...darkTints,
    '--mantine-color-text': 'var(--mantine-color-dark-0)',
    '--mantine-color-dimmed': 'var(--mantine-color-dark-2)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-3)',
    '--mantine-color-error': 'var(--mantine-color-brick-4)',
    '--mantine-color-anchor': 'var(--mantine-color-spruce-3)',
    '--mantine-color-spruce-text': 'var(--mantine-color-spruce-3)',
    '--cv-page': 'var(--mantine-color-dark-8)',
    '--cv-line': 'var(--mantine-color-dark-5)',
    '--cv-rail': '#0d2420',
    '--cv-chosen': '#1d3430',
    '--cv-mark': '#4b3a12',
    '--cv-mark-text': '#f5d68f',
  },
});
