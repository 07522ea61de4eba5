import { Badge, Text } from '@mantine/core';
import { secretsRollback } from '../../../../../contract/endpoints/secrets.ts';
import { LIMITS } from '../../../../../contract/limits.ts';
import { useRole } from '../../../api/session-context.tsx';
import { confirmByName } from '../../../components/dialogs/confirm-by-name.tsx';
import { confirm } from '../../../components/dialogs/dialog-form.tsx';
import { Panel } from '../../../components/layout/panel.tsx';
import { Row, RowButton, Small, When } from '../../../components/small.tsx';
import type { EarlierValue, Secret, SecretDetails } from '../secret-queries.ts';
import { changeSecrets } from '../secret-queries.ts';

const isOff = ({ switchedOff }: Secret, number: number): boolean => number <= (switchedOff?.upTo ?? 0);

/** Asks before an earlier value replaces the current one. */
export const confirmRollback = (secret: Secret, { number, changedAt, changedBy }: EarlierValue): void => {
  const { key, secretId, environment, number: current } = secret;
  const question = {
    title: `Roll back ${key}`,
    verb: `Roll back to v${number}`,
    action: () =>
      changeSecrets(secretsRollback, { params: { secretId }, body: { environment, number, current } }),
    done: `${key} is rolled back to v${number}.`,
    text: (
      <>
        {isOff(secret, number) && (
          <Text c="brick" fw={600} mb="xs">
            The credential in v{number} is recorded as disabled: applications would fail with it.
          </Text>
        )}
        v{number}, given <When at={changedAt} /> by {changedBy}, replaces v{current} for every application
        with its next read. v{current} is kept: you can go back to it in turn.
      </>
    ),
  };
  if (isOff(secret, number)) confirmByName({ ...question, name: key });
  else confirm(question);
};

/** The current value and the earlier ones, by number; the values themselves are never shown. */
export const SecretValues = ({ secret, values }: SecretDetails) => {
  const { can } = useRole();
  const { number: current } = secret;
  return (
    <Panel title="Values" count={values.length + 1}>
      <ul className="cv-list cv-rows">
        <Row component="li">
          <Numbered number={current} />
          <Given at={secret.changedAt} by={secret.changedBy} />
          <Badge size="md" color="spruce" ml="auto" flex="none">
            current
          </Badge>
        </Row>
        {values.map((value) => (
          <Row component="li" key={value.number}>
            <Numbered number={value.number} />
            <Given at={value.changedAt} by={value.changedBy} until={value.replacedAt} />
            {isOff(secret, value.number) && <Badge color="brick">disabled</Badge>}
            {can('editor') && (
              <RowButton
                ml="auto"
                flex="none"
                onClick={() => confirmRollback(secret, value)}
                aria-label={`Roll back to v${value.number}`}
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
    v{number}
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
