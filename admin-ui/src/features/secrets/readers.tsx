import { Badge, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LIMITS } from '../../../../contract/limits.ts';
import type { SecretRef } from '../../components/environments.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { KeyLink } from '../../components/link.tsx';
import { counted, DAY_MS } from '../../components/locale.ts';
import { Row, Small, When } from '../../components/small.tsx';
import { pickedUp } from './rotation/rotation.ts';
import { type SecretDetails, secretQuery } from './secret-queries.ts';

type Reader = SecretDetails['readers'][number];

/** Who reads a secret, and which value each reader received last. */
export const Readers = ({ secret, readers }: SecretDetails) => {
  const { total, isAll, progress } = pickedUp({ secret, readers });
  return (
    <Panel
      title="Readers"
      count={readers.length}
      nothing={readers.length === 0 && 'No active API key can read it, and none did in the last 30 days.'}
    >
      {total > 0 && (
        <Text mb="xs" role="status">
          {progress} the current value, v{secret.number}.
          {isAll && secret.number > 1 && ' Nobody needs the previous one.'}
        </Text>
      )}
      <ul className="cv-list cv-rows">
        {readers.map((reader) => (
          <ReaderRow key={reader.apiKeyId} reader={reader} current={secret.number} />
        ))}
      </ul>
    </Panel>
  );
};

const ReaderRow = ({ reader, current }: { reader: Reader; current: number }) => (
  <Row component="li">
    <span className="cv-grow">
      <KeyLink keyId={reader.apiKeyId} name={reader.apiKeyName} />
      <Small>
        {reader.lastAt === null ? (
          'can read it, but did not in 30 days'
        ) : (
          <>
            read <When at={reader.lastAt} short /> · {counted(reader.reads, 'read')} in 30 days
          </>
        )}
        {!reader.allowed && ' · can no longer read it'}
      </Small>
    </span>
    {reader.lastAt !== null && (
      <Badge color={reader.number === current ? 'spruce' : 'amber'} flex="none">
        {reader.number === null ? 'has an older value' : `has v${reader.number}`}
      </Badge>
    )}
  </Row>
);

/** Shows which API keys read a secret within seven days, before a change that affects them. */
export const RecentReaders = ({ secret, outcome }: { secret: SecretRef; outcome: string }) => {
  const { data } = useQuery(secretQuery(secret));
  if (data === undefined) return null;
  const since = new Date(Date.now() - LIMITS.inUseDays * DAY_MS).toISOString();
  const recent = data.readers.filter(({ allowed, lastAt }) => allowed && lastAt !== null && lastAt >= since);
  return (
    <Text c={recent.length === 0 ? 'dimmed' : 'amber'} className="cv-break">
      {recent.length === 0
        ? `No API key that can still read it did so in the last ${LIMITS.inUseDays} days.`
        : `${counted(recent.length, 'API key')} read it in the last ${LIMITS.inUseDays} days and will ${outcome}: ${recent.map(({ apiKeyName }) => apiKeyName).join(', ')}.`}
    </Text>
  );
};
