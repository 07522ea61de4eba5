import { type CSSVariablesResolver, colorsTuple, createTheme } from '@mantine/core';

/** A color from its ten shades, the lightest first. */
const color = (shades: string) => colorsTuple(shades.split(' '));

// Shades are chosen by contrast, not in equal steps: those used for text, or for surfaces under white
// text, have a contrast of at least 4.5 to 1.

const spruce = color('#e9f3f1 #d5e7e3 #b3d2cc #8cbab2 #67a399 #478b80 #2b7266 #1a5d53 #124940 #0b352e');
const brick = color('#fbefec #f6ddd7 #ebbcb2 #e5a699 #e38e80 #c9604f #b5432f #9c3524 #7e2a1c #5e1e13');
const amber = color('#fdf4e0 #f9e6bd #f2d28a #e9bb57 #dfa52f #c08415 #96650a #7f5506 #634204 #463002');
const slate = color('#ecf1f8 #dae4f2 #b8cbe6 #92aed6 #7699cc #4f7cb5 #37649d #294f80 #1f3d64 #162c49');
const plum = color('#f6eef4 #ebdae7 #d7b6cf #c595ba #b47aa8 #95538a #7c3f72 #65315d #4e2548 #391a34');
const stone = color('#f8f8f5 #f0f0ec #e5e6e0 #d6d8d1 #bfc2ba #8c918a #666c66 #4f5550 #383e3a #222725');
const charcoal = color('#dbe0dc #c0c7c2 #a3aca6 #8b958f #404945 #303835 #232a28 #1a1f1e #131716 #0c0f0e');

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
    teal: spruce,
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
    Alert: { defaultProps: { color: 'amber' }, styles: { body: BREAKING } },
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
    Checkbox: { defaultProps: { size: 'xs' }, styles: { body: TARGET, label: TARGET } },
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
    Anchor: { defaultProps: { inherit: true } },
    Group: { defaultProps: { gap: 'xs' } },
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
