import { Badge, Text } from '@mantine/core';
import { secretsRollback } from '../../../../../contract/endpoints/secrets.ts';
import { LIMITS } from '../../../../../contract/limits.ts';
import { useRole } from '../../../api/session-context.tsx';
import { confirmByName } from '../../../components/dialogs/confirm-by-name.tsx';
import { confirm } from '../../../components/dialogs/dialog-form.tsx';
import { Panel } from '../../../components/layout/panel.tsx';
import { Row, RowButton, Small } from '../../../components/small.tsx';
import { When } from '../../../components/when.tsx';
import { changeSecrets } from '../secret-changes.ts';
import type { EarlierValue, SecretDetails } from '../secret-queries.ts';

/** The current value and the earlier ones, by number; the values themselves are never shown. */
export const SecretValues = ({ secret, values }: SecretDetails) => {
  const { can } = useRole();
  const { key, number: current } = secret;
  const isOff = (number: number) => number <= (secret.switchedOff?.upTo ?? 0);
  const choose = ({ number, changedAt, changedBy }: EarlierValue) => {
    const question = {
      title: `Roll back ${key}`,
      verb: `Roll back to no. ${number}`,
      action: () =>
        changeSecrets(secretsRollback, {
          params: { secretId: secret.secretId },
          body: { environment: secret.environment, number, current },
        }),
      done: `${key} is rolled back to value no. ${number}.`,
      text: (
        <>
          {isOff(number) && (
            <Text c="brick" fw={600} mb="xs">
              The credential in value no. {number} is recorded as switched off: applications would fail with
              it.
            </Text>
          )}
          Value no. {number}, given <When at={changedAt} /> by {changedBy}, replaces no. {current} for every
          application with its next read. No. {current} is kept: you can go back to it in turn.
        </>
      ),
    };
    if (isOff(number)) confirmByName({ ...question, name: key });
    else confirm(question);
  };
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
            {isOff(value.number) && <Badge color="brick">switched off</Badge>}
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
