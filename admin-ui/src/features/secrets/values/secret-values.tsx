import { Badge, Button, Text } from '@mantine/core';
import { LIMITS } from '../../../../../contract/limits.ts';
import { useRole } from '../../../api/session-context.tsx';
import { openDialog } from '../../../components/dialogs/dialog.tsx';
import { DialogForm } from '../../../components/dialogs/dialog-form.tsx';
import { notifyDone } from '../../../components/dialogs/notify.tsx';
import { Panel } from '../../../components/layout/panel.tsx';
import { When } from '../../../components/when.tsx';
import { rollBack } from '../secret-changes.ts';
import type { EarlierValue, Secret, SecretDetails } from '../secret-queries.ts';
import classes from '../secret-screen.module.css';

/** The current value and the earlier ones, by number; the values themselves are never shown. */
export const SecretValues = ({ secret, values }: SecretDetails) => {
  const { can } = useRole();
  const choose = (value: EarlierValue) =>
    openDialog({ title: `Roll back ${secret.key}`, content: <RollBack secret={secret} value={value} /> });
  return (
    <Panel title="Values" count={values.length + 1}>
      <ul className={classes.values}>
        <li className={classes.value}>
          <span className={classes.number}>no. {secret.number}</span>
          <Given at={secret.changedAt} by={secret.changedBy} />
          <Badge color="spruce" ml="auto" style={{ flexShrink: 0 }}>
            current
          </Badge>
        </li>
        {values.map((value) => (
          <li key={value.number} className={classes.value}>
            <span className={classes.number}>no. {value.number}</span>
            <Given at={value.changedAt} by={value.changedBy} until={value.replacedAt} />
            {can('editor') && (
              <Button
                variant="default"
                size="compact-xs"
                ml="auto"
                style={{ flexShrink: 0 }}
                onClick={() => choose(value)}
                aria-label={`Roll back to no. ${value.number}`}
              >
                Roll back
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Text size="xs" c="dimmed" mt="sm">
        {values.length === 0
          ? 'When you save another value, this one is kept and you can roll back to it.'
          : `The last ${LIMITS.earlierValues} values are kept. Rolling back reveals no value.`}
      </Text>
    </Panel>
  );
};

const Given = ({ at, by, until }: { at: string; by: string; until?: string }) => (
  <span className="cv-break">
    <When at={at} />
    <Text size="xs" c="dimmed">
      by {by}
    </Text>
    {until && (
      <Text size="xs" c="dimmed">
        until <When at={until} />
      </Text>
    )}
  </span>
);

interface RollBackProps {
  readonly secret: Secret;
  readonly value: EarlierValue;
}

const RollBack = ({ secret, value }: RollBackProps) => {
  const current = secret.number;
  const roll = async () => {
    await rollBack(secret.secretId, value.number, current);
    notifyDone(`${secret.key} is rolled back to value no. ${value.number}.`);
  };
  return (
    <DialogForm verb={`Roll back to no. ${value.number}`} action={roll}>
      <Text>
        Value no. {value.number}, given <When at={value.changedAt} /> by {value.changedBy}, replaces no.{' '}
        {current} for every application with its next read. No. {current} is kept: you can go back to it in
        turn.
      </Text>
    </DialogForm>
  );
};
