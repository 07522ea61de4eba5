import { Text } from '@mantine/core';
import { Panel } from '../../components/layout/panel.tsx';
import { TextLink } from '../../components/link.tsx';
import { DayText } from '../../components/when.tsx';
import classes from './overview.module.css';
import type { Overview } from './overview-queries.ts';

/** Secrets whose day of rotation is near or has passed. */
export const SecretsToRotate = ({ secretsToRotate: { total, first } }: Pick<Overview, 'secretsToRotate'>) => (
  <Panel title="Secrets to rotate" count={total}>
    {total === 0 ? (
      <Text size="sm" c="dimmed">
        No secret with a “rotate by” date is due within 14 days.
      </Text>
    ) : (
      <ul className={classes.list}>
        {first.map(({ secretId, key, rotateBy }) => (
          <li key={secretId} className={classes.row}>
            <span className={classes.name}>
              <TextLink to="/secrets/$secretId" params={{ secretId }} size="sm" className="cv-mono">
                {key}
              </TextLink>
            </span>
            <span className={classes.aside}>
              {rotateBy < new Date().toISOString().slice(0, 10) ? 'overdue since' : 'by'}{' '}
              <DayText day={rotateBy} />
            </span>
          </li>
        ))}
      </ul>
    )}
  </Panel>
);
