import { Anchor, Box, Group, Text, Title } from '@mantine/core';
import { Link, useLocation, useMatch } from '@tanstack/react-router';
import { createContext, Fragment, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { Icon } from './icons.tsx';

/** A name that may wrap after `/`, `-`, `_`, `.` and `@`. */
export const Breakable = ({ text }: { text: string }) => {
  const parts = text.split(/(?<=[/\-_.@])/);
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a part has no identity other than its index
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
};

/** The id of the element that holds the screen. */
export const CONTENT_ID = 'content';

/** Moves the focus to the title of the screen, unless the content has it. */
export const focusTitle = (): void => {
  const content = document.getElementById(CONTENT_ID);
  if (content === null || content.contains(document.activeElement)) return;
  (content.querySelector('h1') ?? content).focus({ preventScroll: true });
};

// Whether the title that was on the screen last had the focus when it went.
let wasFocused = false;

/**
 * The title of the screen and of the window. If the content has the focus, as after following a link, or the title that
 * it replaces had it, the title takes it, so that screen readers announce it.
 */
export const PageTitle = ({ title }: { title: string }) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Cuevault`;
  }, [title]);
  useLayoutEffect(() => {
    const own = heading.current;
    if (wasFocused || document.activeElement?.id === CONTENT_ID) own?.focus({ preventScroll: true });
    wasFocused = false;
    return () => {
      wasFocused = document.activeElement === own;
    };
  }, []);
  return (
    <Title ref={heading} order={1} tabIndex={-1} className="cv-break cv-title">
      <Breakable text={title} />
    </Title>
  );
};

export interface ScreenProps {
  /** Also the title of the window. @default the title of the link that led here, or of the route */
  title?: string | undefined;
  /** Shown above the title. @default the link to the list of the route */
  above?: ReactNode;
  /** Shown next to the title. */
  beside?: ReactNode;
  subtitle?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

const LISTS = { '/prompts': 'Prompts', '/secrets': 'Secrets', '/api-keys': 'API keys' } as const;

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The title of its screen, as long as no other one is known. */
    readonly title?: string;
    /** The list that its screen belongs to. */
    readonly list?: keyof typeof LISTS | undefined;
  }
  interface HistoryState {
    /** The title of the screen that a link leads to. */
    readonly title?: string | undefined;
  }
}

/** What is known of a screen before it is read. */
const useKnown = () => {
  const { pathname, staticData } = useMatch({ strict: false });
  // While another screen is on its way, the address is already that of the other one.
  const linked = useLocation({ select: (to) => (to.pathname === pathname ? to.state.title : undefined) });
  const { list, title = '' } = staticData;
  const above = list && (
    <Anchor component={Link} to={list}>
      {LISTS[list]}
    </Anchor>
  );
  return { title: linked ?? title, above };
};

/** Whether the component is inside a screen with a title. */
export const WithinScreen = createContext(false);

export const Screen = ({ title, above, beside, subtitle, actions, children }: ScreenProps) => {
  const known = useKnown();
  return (
    <WithinScreen value={true}>
      <Box maw="88rem" fz="sm" p={{ base: '0.9rem', sm: '1.25rem 1.5rem' }} pb="3rem">
        {above ?? known.above}
        <Group justify="space-between" align="flex-start" gap="sm" mb="md">
          <Box miw={0} flex="1 1 14rem">
            <Group gap="sm">
              <PageTitle title={title ?? known.title} />
              {beside}
            </Group>
            {subtitle && (
              <Text component="div" c="dimmed" mt={2}>
                {subtitle}
              </Text>
            )}
          </Box>
          {actions && <Group>{actions}</Group>}
        </Group>
        {children}
      </Box>
    </WithinScreen>
  );
};

/** Marks the control that adds to a list, for the shortcut. Operators who may not add anything have no such control. */
export const NEW_CONTROL = {
  'data-shortcut': 'n',
  'aria-keyshortcuts': 'n',
  leftSection: <Icon name="plus" />,
} as const;
