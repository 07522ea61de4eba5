import { Text } from '@mantine/core';
import { Panel } from '../../components/layout/panel.tsx';
import { TextLink } from '../../components/link.tsx';
import { When } from '../../components/when.tsx';
import classes from './overview.module.css';
import type { Overview } from './overview-queries.ts';

type Key = Overview['unusedKeys'][number];

/** API keys that expire soon or are unused. */
export const KeysToWatch = ({ expiringKeys, unusedKeys }: Pick<Overview, 'expiringKeys' | 'unusedKeys'>) => (
  <Panel title="API keys to review" count={expiringKeys.length + unusedKeys.length}>
    {expiringKeys.length + unusedKeys.length === 0 ? (
      <Text size="sm" c="dimmed">
        No key expires within 14 days, and every key older than 30 days was used recently.
      </Text>
    ) : (
      <ul className={classes.list}>
        {expiringKeys.map((key) => (
          <li key={`expiring ${key.keyId}`} className={classes.row}>
            <KeyName {...key} />
            <span className={classes.aside}>
              expires {key.expiresAt && <When at={key.expiresAt} short />}
            </span>
          </li>
        ))}
        {unusedKeys.map((key) => (
          <li key={`unused ${key.keyId}`} className={classes.row}>
            <KeyName {...key} />
            <span className={classes.aside}>
              {key.lastUsedAt === null ? (
                'never used'
              ) : (
                <>
                  last used <When at={key.lastUsedAt} short />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    )}
  </Panel>
);

const KeyName = ({ keyId, name }: Key) => (
  <span className={classes.name}>
    <TextLink to="/api-keys" search={{ q: keyId }} size="sm">
      {name}
    </TextLink>
  </span>
);

/** Secrets that no API key reads. */
export const UnreadSecrets = ({ unreadSecrets: { total, first } }: Pick<Overview, 'unreadSecrets'>) => (
  <Panel
    title="Secrets not read for 30 days"
    count={total}
    actions={
      total > first.length && (
        <TextLink to="/secrets" search={{ read: 'no' }} size="xs">
          Show all
        </TextLink>
      )
    }
  >
    {total === 0 ? (
      <Text size="sm" c="dimmed">
        Every secret older than 30 days was read recently.
      </Text>
    ) : (
      <ul className={classes.list}>
        {first.map(({ secretId, key }) => (
          <li key={secretId} className={classes.row}>
            <span className={classes.name}>
              <TextLink to="/secrets/$secretId" params={{ secretId }} size="sm" className="cv-mono">
                {key}
              </TextLink>
            </span>
          </li>
        ))}
      </ul>
    )}
  </Panel>
);
