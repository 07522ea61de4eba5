import { Text } from '@mantine/core';
import { TextLink } from '../../components/link.tsx';
import { inDigits } from '../../components/locale.ts';
import { When } from '../../components/when.tsx';
import type { AuditIntegrity } from './audit-queries.ts';

/** How far the log is sealed, and what was found. */
export const Integrity = ({ sealed, findings }: AuditIntegrity) => (
  <Text size="sm" c="dimmed" mb="sm">
    Integrity:{' '}
    {sealed === null ? (
      'not sealed yet.'
    ) : (
      <>
        sealed up to <When at={sealed.to} />, <When at={sealed.at} short /> (seal no.{' '}
        {inDigits(sealed.number)}).
      </>
    )}{' '}
    {findings === 0 ? (
      'No findings.'
    ) : (
      <TextLink to="/audit" search={{ action: 'integrity.fail' }} size="sm" fw={600}>
        {findings === 1 ? 'One finding' : `${inDigits(findings)} findings`}
      </TextLink>
    )}
  </Text>
);
