import { Alert, Group, Text } from '@mantine/core';
import { counted } from '../../components/count.ts';
import { IconShieldCheck, IconShieldExclamation } from '../../components/icons.tsx';
import { TextLink } from '../../components/link.tsx';
import { inDigits } from '../../components/locale.ts';
import { localDay, When } from '../../components/when.tsx';
import type { AuditIntegrity } from './audit-queries.ts';

/** Entries are sealed every 15 minutes; after this time without a seal, something is wrong. */
const LATE_MS = 60 * 60_000;

/** What the sealed copy of the log covers, and what was found to be changed or removed. */
export const Integrity = ({ sealed, ...found }: AuditIntegrity) => (
  <section aria-label="Integrity">
    <Findings {...found} />
    <Seal sealed={sealed} isIntact={found.findings === 0} />
  </section>
);

const Seal = ({ sealed, isIntact }: Pick<AuditIntegrity, 'sealed'> & { isIntact: boolean }) => {
  const isLate = sealed !== null && Date.now() - Date.parse(sealed.at) > LATE_MS;
  const isGood = isIntact && sealed !== null && !isLate;
  const Icon = isGood ? IconShieldCheck : IconShieldExclamation;
  return (
    <Group gap={6} wrap="nowrap" align="flex-start" mb="md">
      <Icon size={17} strokeWidth={1.6} style={{ flexShrink: 0, marginTop: 2 }} />
      <Text c="dimmed">
        {sealed === null ? (
          <NotSealed isIntact={isIntact} />
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
        {isGood && ' No problems were found.'}
      </Text>
    </Group>
  );
};

const NotSealed = ({ isIntact }: { isIntact: boolean }) =>
  isIntact
    ? 'Nothing is sealed yet. Entries are sealed in a signed copy after 5 to 20 minutes, so that later changes and removals are found.'
    : 'The record of the last seal is missing or forged. The next seal, within 15 minutes, replaces it.';

const Findings = ({ findings, firstFinding, lastFinding }: Omit<AuditIntegrity, 'sealed'>) =>
  firstFinding &&
  lastFinding && (
    <Alert
      color="brick"
      mb="sm"
      className="cv-break"
      title={`${counted(findings, 'change')} that Cuevault did not make`}
    >
      <Text>
        {findings > 1 && 'The last one: '}
        {lastFinding.problem} <span className="cv-mono">{lastFinding.subject}</span>,{' '}
        <When at={lastFinding.at} short />.
      </Text>
      <Text mt={4}>
        <TextLink
          to="/audit"
          search={{ action: 'integrity.fail', period: 'days', from: localDay(new Date(firstFinding.at)) }}
          size="sm"
          fw={600}
        >
          Show {findings === 1 ? 'its entry' : 'all of them'}
        </TextLink>
        . “Findings” in the runbook says what to do.
      </Text>
    </Alert>
  );
