import { Text } from '@mantine/core';
import { useRole } from '../../api/session-context.tsx';
import { TextLink } from '../link.tsx';
import { keepTyped } from './searched-for.ts';

/** Says that a text is not searched for, and leads administrators to the screen that asks who has it. */
export const NotSearched = ({ typed, onFind }: { readonly typed: string; readonly onFind?: () => void }) => (
  <Text size="xs" c="amber">
    This looks like a credential and is not searched for.{' '}
    {useRole().can('admin') && (
      <TextLink
        to="/secrets/who-has"
        onClick={() => {
          keepTyped(typed);
          onFind?.();
        }}
        inherit
        underline="always"
      >
        Find who has this value
      </TextLink>
    )}
  </Text>
);
