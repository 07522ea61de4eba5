import { Badge, Text } from '@mantine/core';
import { LIMITS } from '../../../../../contract/limits.ts';
import { useRole } from '../../../api/session-context.tsx';
import { confirm } from '../../../components/dialogs/dialog-form.tsx';
import { Panel } from '../../../components/layout/panel.tsx';
import { Row, RowButton, Small } from '../../../components/small.tsx';
import { When } from '../../../components/when.tsx';
import { rollBack } from '../secret-changes.ts';
import type { EarlierValue, SecretDetails } from '../secret-queries.ts';

/** The current value and the earlier ones, by number; the values themselves are never shown. */
export const SecretValues = ({ secret, values }: SecretDetails) => {
  const { can } = useRole();
  const { key, number: current } = secret;
  const choose = ({ number, changedAt, changedBy }: EarlierValue) =>
    confirm({
      title: `Roll back ${key}`,
      verb: `Roll back to no. ${number}`,
      action: () => rollBack(secret.secretId, number, current),
      done: `${key} is rolled back to value no. ${number}.`,
      text: (
        <>
          Value no. {number}, given <When at={changedAt} /> by {changedBy}, replaces no. {current} for every
          application with its next read. No. {current} is kept: you can go back to it in turn.
        </>
      ),
    });
  return (
    <Panel title="Values" count={values.length + 1}>
      <ul className="cv-list cv-rows">
        <Row component="li">
          <Numbered number={current} />
          <Given at={secret.changedAt} by={secret.changedBy} />
          <Badge size="md" color="spruce" ml="auto" style={{ flexShrink: 0 }}>
            current
          </Badge>
        </Row>
        {values.map((value) => (
          <Row component="li" key={value.number}>
            <Numbered number={value.number} />
            <Given at={value.changedAt} by={value.changedBy} until={value.replacedAt} />
            {can('editor') && (
              <RowButton
                ml="auto"
                style={{ flexShrink: 0 }}
                onClick={() => choose(value)}
                aria-label={`Roll back to no. ${value.number}`}
              >
                Roll back
              </RowButton>
            )}
          </Row>
        ))}
      </ul>
      <Small mt="sm">
        {values.length === 0
          ? 'When you save another value, this one is kept and you can roll back to it.'
          : `The last ${LIMITS.earlierValues} values are kept. Rolling back reveals no value.`}
      </Small>
    </Panel>
  );
};

const Numbered = ({ number }: { number: number }) => (
  <Text span inherit fw={600} miw="3.2rem">
    no. {number}
  </Text>
);

const Given = ({ at, by, until }: { at: string; by: string; until?: string }) => (
  <span className="cv-break">
    <When at={at} />
    <Small>by {by}</Small>
    {until && (
      <Small>
        until <When at={until} />
      </Small>
    )}
  </span>
);
