import { Alert, Text } from '@mantine/core';
import { counted } from '../../components/count.ts';
import { ReviewPanel, ReviewRow, SecretLink } from '../../components/layout/review-panel.tsx';
import { When } from '../../components/when.tsx';
import type { KeyDetails } from './key-queries.ts';

interface RotateReadProps {
  readonly read: KeyDetails['read'];
  /** When the key was revoked. */
  readonly since: string;
}

/** The secrets that whoever had a revoked key may still know, until each has a new value. */
export const RotateRead = ({ read, since }: RotateReadProps) => {
  const left = read.filter(({ known }) => known);
  if (read.length === 0) return null;
  if (left.length === 0)
    return (
      <Alert color="spruce" title="All of its secrets are rotated">
        {counted(read.length, 'secret')} that it had read got a new value after it was revoked.
      </Alert>
    );
  const done = read.length - left.length;
  return (
    <ReviewPanel title={`Rotate ${counted(left.length, 'secret')}`} count={left.length} nothing="">
      <li>
        <Text mb="xs">
          Whoever had the key may know these values. {done} of {counted(read.length, 'secret')} rotated since
          it was revoked <When at={since} short />.
        </Text>
      </li>
      {left.map(({ secretId, key, lastAt }) => (
        <ReviewRow
          key={secretId}
          link={<SecretLink secretId={secretId} name={key} />}
          reason={
            <>
              read <When at={lastAt} short />
            </>
          }
        />
      ))}
    </ReviewPanel>
  );
};
