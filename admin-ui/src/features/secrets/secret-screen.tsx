import { Alert, Box, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { LIMITS, utf8Bytes } from '../../../../contract/limits.ts';
import { useCan, useSession } from '../../api/session-context.tsx';
import {
  AuditLinks,
  Columns,
  DayText,
  Facts,
  KeyLink,
  Panel,
  RowButton,
  Small,
  Step,
  Tags,
  TextLink,
  When,
} from '../../components/basics.tsx';
import { CodeBlock, CopyIcon } from '../../components/code-block.tsx';
import { DeleteMenu } from '../../components/confirm-by-name.tsx';
import { type DeletedKind, DeletedNotice, DeletedScreen } from '../../components/deleted.tsx';
import {
  ActionButton,
  confirm,
  DialogForm,
  LeaveGuard,
  openDialog,
  useFields,
} from '../../components/dialogs.tsx';
import {
  EnvironmentMark,
  inAddress,
  type SecretRef,
  secretPage,
  useEnvironment,
} from '../../components/environments.tsx';
import { daysSince } from '../../components/locale.ts';
import { Screen } from '../../components/screen.tsx';
import { secretsCurl } from '../../components/snippet-texts.ts';
import { QueryBoundary } from '../../components/states.tsx';
import { pagesOf } from '../../components/tables/data-table.tsx';
import { EnvironmentChoice } from '../../components/tables/filters.tsx';
import { openNewValue, openTags } from './dialogs.tsx';
import { NameWarning, warningOf } from './name-warning.tsx';
import { Readers, RecentReaders, SecretValues } from './readers.tsx';
import { isOverdue, pickedUp, pollingOf } from './rotation.ts';
import {
  changeSecret,
  type DeletedSecret,
  deletedSecretQuery,
  deletedSecretsQuery,
  deleteSecret,
  restoreSecret,
  type Secret,
  type SecretDetails,
  secretQuery,
} from './secret-queries.ts';
import { LastRead } from './secrets-screen.tsx';

/** The progress of the last rotation of a secret, the date of the next one, and a note. */
const RotationPanel = ({ secret, readers }: SecretDetails) => {
  const can = useCan();
  const open = () =>
    openDialog({
      title: `Rotation of ${secret.key}`,
      holdsInput: true,
      content: <NotesForm secret={secret} />,
    });
  return (
    <Panel
      title="Rotation"
      actions={can('editor') && <RowButton onClick={open}>Edit note and date</RowButton>}
    >
      <Facts
        of={{
          'Rotate by': secret.rotateBy && (
            <>
              {isOverdue(secret.rotateBy, new Date()) && (
                <Text span inherit c="amber">
                  overdue since{' '}
                </Text>
              )}
              <DayText day={secret.rotateBy} />
            </>
          ),
          Note: secret.note && <span style={{ whiteSpace: 'pre-wrap' }}>{secret.note}</span>,
        }}
      />
      {secret.number > 1 && <Steps secret={secret} readers={readers} />}
    </Panel>
  );
};

const Steps = ({ secret, readers }: Pick<SecretDetails, 'secret' | 'readers'>) => {
  const can = useCan();
  const { number, changedAt, changedBy, switchedOff } = secret;
  const { total, isAll, late, progress } = pickedUp({ secret, readers });
  const isOff = switchedOff !== undefined && switchedOff.upTo >= number - 1;
  const record = () => changeSecret(secret, { switchedOffUpTo: number - 1 });
  const warn = () =>
    confirm({
      title: 'API keys still have the old value',
      verb: 'Mark as disabled anyway',
      action: record,
      text: (
        <Alert>
          {late.map(({ apiKeyName }) => apiKeyName).join(', ')} {late.length === 1 ? 'has' : 'have'} not read
          v{number} yet. Their applications fail once the old credential is disabled.
        </Alert>
      ),
    });
  return (
    <>
      {switchedOff !== undefined && switchedOff.upTo >= number && (
        <Alert mt="sm">The current value, v{number}, is older than what is recorded as disabled.</Alert>
      )}
      <ol className="cv-list cv-rows" style={{ marginTop: '0.75rem' }}>
        <Step isDone>
          New value v{number}, <When at={changedAt} short /> by {changedBy}
        </Step>
        <Step isDone={isAll}>
          {total === 0
            ? 'No API key that can still read it did so in the last 30 days'
            : `${progress} the new value`}
          <ul className="cv-list">
            {late.map(({ apiKeyId, apiKeyName, lastAt }) => (
              <li key={apiKeyId}>
                still missing: <KeyLink keyId={apiKeyId} name={apiKeyName} />
                {/* It does not hold up the event of a new value. */}
                {daysSince(lastAt ?? '') > LIMITS.silentDays && `, silent for ${LIMITS.silentDays} days`}
              </li>
            ))}
          </ul>
          <Small>
            Several processes with one API key count as one, and values in memory and offline copies are not
            seen: give each service a key of its own.
          </Small>
        </Step>
        <Step isDone={isOff}>
          {isOff ? (
            <>
              Old credential disabled: recorded <When at={switchedOff.at} short /> by {switchedOff.by}
            </>
          ) : (
            <Group>
              <span>
                {isAll
                  ? 'Disable the old credential where it was issued'
                  : 'Wait before you disable the old credential'}
              </span>
              {can('editor') && (
                <ActionButton
                  size="compact-xs"
                  variant={isAll ? 'filled' : 'default'}
                  action={async () => (isAll ? record() : warn())}
                >
                  Mark old credential as disabled
                </ActionButton>
              )}
            </Group>
          )}
        </Step>
      </ol>
    </>
  );
};

/** Changes the note of a secret and the day of its next rotation. */
const NotesForm = ({ secret }: { secret: Secret }) => {
  const form = useFields({ note: secret.note ?? '', rotateBy: secret.rotateBy ?? '' });
  const { note, rotateBy } = form.values;
  const isTooLong = utf8Bytes(note) > LIMITS.secretNoteBytes;
  return (
    <DialogForm
      verb="Save"
      canSubmit={!isTooLong}
      action={() => changeSecret(secret, { note: note.trim(), rotateBy })}
      done={`The note and the date of ${secret.key} are saved.`}
    >
      <Textarea
        label="Note"
        description="For operators, such as where the credential is issued. Every operator sees it, so it must not contain a secret."
        {...form.text('note')}
        error={isTooLong && `A note has at most ${LIMITS.secretNoteBytes} bytes.`}
        autosize
        minRows={2}
        maxRows={8}
        data-autofocus
      />
      <TextInput
        type="date"
        label="Rotate by"
        description="The overview lists the secret from 14 days before this day. Leave it empty for no date."
        {...form.text('rotateBy')}
        w={220}
      />
      <LeaveGuard when={form.isChanged} />
    </DialogForm>
  );
};

const route = getRouteApi('/secrets/$secretId');

/** One secret: its details, and the values that it can be rolled back to. */
export const SecretScreen = () => {
  const ref = { environment: useEnvironment(), ...route.useParams() };
  const { config } = useSession();
  const can = useCan();
  const details = useQuery({
    ...secretQuery(ref),
    refetchInterval: ({ state }) => pollingOf(state.data),
  });
  return (
    <QueryBoundary query={details} frame={{}} missing={<MissingSecret {...ref} />}>
      {(found) => (
        <Screen
          title={found.secret.key}
          beside={
            <>
              <CopyIcon text={found.secret.key} label="the key" />
              <EnvironmentMark name={ref.environment} />
            </>
          }
          actions={
            can('editor') && (
              <>
                <Button onClick={() => openNewValue(found.secret)}>New value</Button>
                <DeleteMenu
                  kind="secret"
                  name={found.secret.key}
                  remove={() => deleteSecret(found.secret)}
                  list={{ to: '/secrets' }}
                  affected={<RecentReaders secret={found.secret} outcome="no longer get it" />}
                  text={
                    <>
                      Reads no longer return <strong className="cv-break">{found.secret.key}</strong>. It can
                      be restored with its values for {LIMITS.restoreDays} days.
                    </>
                  }
                />
              </>
            )
          }
        >
          <Box mb={warningOf(found.secret.key) ? 'md' : 0}>
            <NameWarning name={found.secret.key} />
          </Box>
          <Columns>
            <Stack>
              <Details {...found} />
              <Panel title="How an application reads it">
                <CodeBlock
                  text={secretsCurl(config.apiUrl, {
                    ...inAddress(ref.environment),
                    key: found.secret.key,
                  })}
                  label="the curl command"
                />
              </Panel>
            </Stack>
            <Stack>
              <RotationPanel {...found} />
              <SecretValues {...found} />
              <Readers {...found} />
            </Stack>
          </Columns>
        </Screen>
      )}
    </QueryBoundary>
  );
};

const Details = ({ secret, lastRead }: SecretDetails) => {
  const can = useCan();
  const open = () => openTags({ secrets: [secret], change: 'set' });
  return (
    <Panel title="Details" actions={can('editor') && <RowButton onClick={open}>Edit the tags</RowButton>}>
      <Facts
        of={{
          Tags: secret.tags.length > 0 ? <Tags tags={secret.tags} shown={50} /> : undefined,
          'Last read': <LastRead lastRead={lastRead} createdAt={secret.createdAt} />,
          Changed: (
            <>
              <When at={secret.changedAt} /> by {secret.changedBy}
            </>
          ),
          Created: (
            <>
              <When at={secret.createdAt} /> by {secret.createdBy}
            </>
          ),
          Id: <span className="cv-mono">{secret.secretId}</span>,
          Audit: (
            <AuditLinks
              of={{
                'its changes': { kind: 'change', subject: secret.secretId },
                'its reads': { kind: 'read', subject: secret.secretId },
              }}
            />
          ),
        }}
      />
    </Panel>
  );
};

const SECRETS: DeletedKind<DeletedSecret> = {
  one: 'secret',
  nameOf: ({ key }) => key,
  restore: restoreSecret,
  page: secretPage,
};

export const DeletedSecretsScreen = () => {
  const environment = useEnvironment();
  const list = useInfiniteQuery(deletedSecretsQuery(environment));
  return (
    <DeletedScreen
      of={SECRETS}
      above={
        <Group>
          <TextLink to="/secrets">Secrets</TextLink>
          <EnvironmentChoice value={environment} clearable={false} />
        </Group>
      }
      list={list}
      rows={pagesOf(list).flatMap(({ secrets }) => secrets)}
    />
  );
};

/** Shown instead of a secret that does not exist; restores it if possible. */
const MissingSecret = (secret: SecretRef) => (
  <DeletedNotice
    of={SECRETS}
    query={useQuery(deletedSecretQuery(secret))}
    list={
      <TextLink to="/secrets/deleted" search={inAddress(secret.environment)}>
        Deleted secrets
      </TextLink>
    }
  />
);
