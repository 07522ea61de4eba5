import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { QueryBoundary } from '../../../components/states.tsx';
import { type Version, versionQuery } from '../prompt-queries.ts';

interface TwoVersionsProps {
  readonly promptId: string;
  readonly numbers: readonly [string, string];
  /** Shown if one of them does not exist. */
  readonly missing?: ReactNode;
  readonly children: (first: Version, second: Version) => ReactNode;
}

export const TwoVersions = ({ promptId, numbers: [one, other], missing, children }: TwoVersionsProps) => {
  const first = useQuery(versionQuery(promptId, one));
  const second = useQuery(versionQuery(promptId, other));
  return (
    <QueryBoundary query={first} missing={missing}>
      {(older) => (
        <QueryBoundary query={second} missing={missing}>
          {(newer) => children(older, newer)}
        </QueryBoundary>
      )}
    </QueryBoundary>
  );
};
