import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { Content } from '../../../../../../contract/content/content.ts';
import type { Version } from '../../prompt-queries.ts';

interface TypeChangeProps {
  /** Whether the new version has another type than the latest. */
  readonly isChange: boolean;
  readonly to: 'text' | 'chat';
  /** Whether the operator confirmed it; always true without a change. */
  readonly isConfirmed: boolean;
  readonly confirm: (isConfirmed: boolean) => void;
}

export const useTypeChange = (latest: Version, content: Content): TypeChangeProps => {
  const [confirmed, confirm] = useState(false);
  const to = content.type ?? 'text';
  const isChange = to !== latest.type;
  return { isChange, to, isConfirmed: confirmed || !isChange, confirm };
};

/** Asks for it, if there is something to confirm. */
export const TypeChange = ({ isChange, to, isConfirmed, confirm }: TypeChangeProps) =>
  isChange && (
    <Checkbox
      label={`Change the type of this prompt to ${to}`}
      description="Applications that expect the other type cannot use the new version."
      checked={isConfirmed}
      onChange={(event) => confirm(event.currentTarget.checked)}
    />
  );
