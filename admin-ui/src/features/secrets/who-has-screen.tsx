import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { vaultWhoHas } from '../../../../contract/endpoints/vault.ts';
import { LIMITS, utf8Bytes } from '../../../../contract/limits.ts';
import { call, type ReplyOf } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import {
  DayText,
  KeyLink,
  Muted,
  Panel,
  Row,
  RowButton,
  SecretLink,
  Small,
  TextLink,
} from '../../components/basics.tsx';
import { confirmRevocation } from '../../components/confirm-by-name.tsx';
import { confirm, notifyFailure, Refusal } from '../../components/dialogs.tsx';
import { useEnvironments, useOf } from '../../components/environments.tsx';
import { counted } from '../../components/locale.ts';
import { Screen } from '../../components/screen.tsx';
import { screenFor } from '../../components/states.tsx';
import { takeTyped } from '../../components/tables/searched-for.ts';
import { openNewValue } from './dialogs.tsx';
import { changeSecret, currentSecret } from './secret-queries.ts';
import { confirmStop } from './serving.tsx';
import { ValueField } from './value-input.tsx';

type Answer = ReplyOf<typeof vaultWhoHas>;
type Found = Answer['found'][number];
type Receiver = Found['receivers'][number];

export const WhoHasScreen = screenFor('admin', 'ask who has a value', () => {
  const [value, setValue] = useState(takeTyped);
  const [answer, setAnswer] = useState<Answer>();
  const location = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a search on this screen leads here again
  useEffect(() => {
    const typed = takeTyped();
    if (typed === '') return;
    setValue(typed);
    setAnswer(undefined);
  }, [location]);
  const { mutate, isPending, error } = useAction(async () => {
    setAnswer(undefined);
    setAnswer(await call(vaultWhoHas, { body: { value } }));
    setValue('');
  });
  const ask = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <Screen subtitle="It is compared with every stored value, and neither kept nor logged. The audit log records that you asked.">
      <form onSubmit={ask} autoComplete="off">
        <Stack gap="sm" align="flex-start" mb="md" maw="40rem">
          <ValueField
            label="A value that has leaked"
            description={`At least ${LIMITS.leastAskedBytes} bytes; ${LIMITS.questionsPerDay} questions a day.`}
            value={value}
            onChange={setValue}
            autoFocus
          />
          <Button type="submit" loading={isPending} disabled={utf8Bytes(value) < LIMITS.leastAskedBytes}>
            Ask
          </Button>
          <Refusal error={error} />
        </Stack>
      </form>
      {answer && <AnswerShown {...answer} />}
    </Screen>
  );
});

const AnswerShown = ({ found, total, unopened }: Answer) => {
  const [revoked, setRevoked] = useState<readonly string[]>([]);
  const others = useEnvironments().filter(({ name }) => !found.some((each) => each.environment === name));
  return (
    <Stack role="status">
      {found.map((each) => (
        <FoundValue
          key={`${each.secretId} ${each.number}`}
          found={each}
          isActive={({ apiKeyId, isActive }) => isActive && !revoked.includes(apiKeyId)}
          onRevoked={(keyId) => setRevoked([...revoked, keyId])}
        />
      ))}
      <Text>
        {found.length === 0
          ? 'No stored value equals this.'
          : others.length > 0 && `No value equals it in ${others.map(({ name }) => name).join(', ')}.`}
        {total > found.length && ` ${total - found.length} more equal it.`}
        {unopened > 0 &&
          ` ${counted(unopened, 'stored value')} cannot be decrypted and could not be compared.`}
      </Text>
    </Stack>
  );
};

const STATES = { current: 'spruce', former: 'amber', deleted: 'gray' } as const;

interface FoundValueProps {
  found: Found;
  isActive: (receiver: Receiver) => boolean;
  onRevoked: (keyId: string) => void;
}

const FoundValue = ({ found, isActive, onRevoked }: FoundValueProps) => {
  const { environment, number, state, receivers } = found;
  const of = useOf();
  const revoke = ({ apiKeyId: keyId, apiKeyName: name }: Receiver) =>
    confirmRevocation({ keyId, name }, () => onRevoked(keyId));
  const renew = () =>
    currentSecret(found).then((secret) => openNewValue(secret, secret.number === number), notifyFailure);
  const record = () =>
    confirm({
      title: 'Disabled',
      verb: 'Record it',
      done: `v${number} is recorded as disabled.`,
      action: () => changeSecret(found, { switchedOffUpTo: number }),
      text: `The credential in v${number} no longer works where it was issued. Going back to it then needs the name of the secret.`,
    });
  return (
    <Panel
      title={
        <Group>
          <SecretLink secret={found} />
          <Badge size="md" color={STATES[state]}>
            v{number}, {state}
          </Badge>
        </Group>
      }
    >
      {receivers.length === 0 && <Muted>No API key is known to have received it.</Muted>}
      <ul className="cv-list cv-rows">
        {receivers.map((receiver) => (
          <Received
            key={receiver.apiKeyId}
            {...receiver}
            isActive={isActive(receiver)}
            secretId={found.secretId}
          />
        ))}
      </ul>
      <Group mt="sm">
        {receivers.filter(isActive).map((receiver) => (
          <RowButton
            key={receiver.apiKeyId}
            color="brick"
            variant="light"
            h="auto"
            styles={{ label: { whiteSpace: 'normal' } }}
            onClick={() => revoke(receiver)}
          >
            Revoke {receiver.apiKeyName}
          </RowButton>
        ))}
        <RowButton color="brick" variant="light" onClick={() => confirmStop(environment)}>
          Stop serving secrets{of(environment)}
        </RowButton>
        {state === 'current' && <RowButton onClick={() => void renew()}>New value</RowButton>}
        {state === 'former' && <RowButton onClick={record}>Record as disabled</RowButton>}
      </Group>
    </Panel>
  );
};

const Received = ({ secretId, ...receiver }: Receiver & { secretId: string }) => {
  const { apiKeyId, apiKeyName, isActive, isCertain, stillHasIt, from, to } = receiver;
  return (
    <Row>
      <span className="cv-grow">
        <KeyLink keyId={apiKeyId} name={apiKeyName} />
        <Small>
          {isCertain ? 'first received' : 'possibly first received'} <DayText day={from} />
          {from !== to && (
            <>
              , last received <DayText day={to} />
            </>
          )}
          {!isActive && ' · no longer active'} ·{' '}
          <TextLink
            to="/audit"
            search={{ kind: 'read', actor: apiKeyId, subject: secretId, period: 'days', from, to }}
          >
            from which addresses
          </TextLink>
        </Small>
      </span>
      <Badge color={stillHasIt ? 'brick' : 'spruce'} flex="none">
        {stillHasIt ? 'still has it' : 'has another value'}
      </Badge>
    </Row>
  );
};
