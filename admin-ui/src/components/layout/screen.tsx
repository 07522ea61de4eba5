import { Box, Group, Text } from '@mantine/core';
import { createContext, type ReactNode } from 'react';
import { IconPlus } from '../icons.tsx';
import { PageTitle } from './page-title.tsx';

export interface ScreenProps {
  /** Also the title of the window. */
  readonly title: string;
  /** Shown above the title, such as a link back. */
  readonly above?: ReactNode;
  /** Shown next to the title. */
  readonly beside?: ReactNode;
  readonly subtitle?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Whether the component is inside a screen with a title. */
export const WithinScreen = createContext(false);

export const Screen = ({ title, above, beside, subtitle, actions, children }: ScreenProps) => (
  <WithinScreen value={true}>
    <Box maw="88rem" p={{ base: '0.9rem', sm: '1.25rem 1.5rem' }} pb="3rem">
      {above}
      <Group justify="space-between" align="flex-start" gap="sm" mb="md">
        <Box miw={0} flex="1 1 14rem">
          <Group gap="sm">
            <PageTitle title={title} />
            {beside}
          </Group>
          {subtitle && (
            <Text component="div" c="dimmed" mt={2}>
              {subtitle}
            </Text>
          )}
        </Box>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Box>
  </WithinScreen>
);

/** Marks the control that adds to a list, for the shortcut. Operators who may not add anything have no such control. */
export const NEW_CONTROL = {
  'data-shortcut': 'n',
  'aria-keyshortcuts': 'n',
  leftSection: <IconPlus size={15} />,
} as const;
