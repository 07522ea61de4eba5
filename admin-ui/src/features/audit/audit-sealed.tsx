import { Group, Text } from '@mantine/core';
import { IconShieldCheck, IconShieldExclamation } from '../../components/icons.tsx';
import { inDigits } from '../../components/locale.ts';
import { When } from '../../components/when.tsx';
import type { AuditSeal } from './audit-queries.ts';

/** Entries are sealed every 15 minutes; after this time without a seal, something is wrong. */
const LATE_MS = 60 * 60_000;

/** What the sealed copy of the log covers. */
export const Sealed = ({ sealed }: { sealed: AuditSeal }) => {
  const isLate = sealed !== null && Date.now() - Date.parse(sealed.at) > LATE_MS;
  const isGood = sealed !== null && !isLate;
  const Icon = isGood ? IconShieldCheck : IconShieldExclamation;
  return (
    <Group component="section" aria-label="Seal" gap={6} wrap="nowrap" align="flex-start" mb="md">
      <Icon size={17} strokeWidth={1.6} style={{ flexShrink: 0, marginTop: 2 }} />
      <Text c="dimmed">
        {sealed === null ? (
          'Nothing is sealed yet. Entries are sealed in a signed copy after 5 to 20 minutes, so that later changes and removals are found.'
        ) : (
          <>
            Entries before <When at={sealed.to} /> are sealed in a signed copy (no. {inDigits(sealed.number)}
            ). <code>npm run audit:verify</code> checks that the copy is complete and unchanged.
          </>
        )}
        {isLate && (
          <Text span inherit fw={600} c="var(--mantine-color-text)">
            {' '}
            Nothing was sealed since <When at={sealed.at} />, although it should be every 15 minutes: look at
            the log of the function <code>audit-seal</code>.
          </Text>
        )}
      </Text>
    </Group>
  );
};
