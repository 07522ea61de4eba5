import { Box, Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { LIMITS } from '../../../../contract/limits.ts';
import { useRole, useSession } from '../../api/session-context.tsx';
import { CodeBlock, CopyIcon } from '../../components/code/code-block.tsx';
import { secretsCurl } from '../../components/code/snippet-texts.ts';
import { DeletedNotice } from '../../components/deleted/deleted-screen.tsx';
import { DeleteMenu } from '../../components/dialogs/confirm-by-name.tsx';
import {
  EnvironmentMark,
  inAddress,
  type SecretRef,
  useEnvironment,
} from '../../components/environments.tsx';
import { Columns, Fact, Facts, Panel } from '../../components/layout/panel.tsx';
import { Screen } from '../../components/layout/screen.tsx';
import { TextLink } from '../../components/link.tsx';
import { RowButton, When } from '../../components/small.tsx';
import { QueryBoundary } from '../../components/states.tsx';
import { Tags } from '../../components/tags.tsx';
import { openNewValue, openTags } from './dialogs.tsx';
import { LastRead } from './list/secrets-columns.tsx';
import { NameWarning, warningOf } from './name-warning.tsx';
import { Readers, RecentReaders } from './readers.tsx';
import { pollingOf } from './rotation/rotation.ts';
import { RotationPanel } from './rotation/rotation-panel.tsx';
import {
  deletedSecretQuery,
  deleteSecret,
  restoreSecret,
  type Secret,
  type SecretDetails,
  secretQuery,
} from './secret-queries.ts';
import { SecretValues } from './values/secret-values.tsx';

const route = getRouteApi('/secrets/$secretId');

/** One secret: its details, and the values that it can be rolled back to. */
export const SecretScreen = () => {
  const ref = { environment: useEnvironment(), ...route.useParams() };
  const details = useQuery({
    ...secretQuery(ref),
    refetchInterval: ({ state }) => pollingOf(state.data, Date.now()),
  });
  return (
    <QueryBoundary query={details} missing={<MissingSecret {...ref} />}>
      {(found) => (
        <Screen
          title={found.secret.key}
          above={<TextLink to="/secrets">Secrets</TextLink>}
          beside={
            <>
              <CopyIcon text={found.secret.key} label="the key" />
              <EnvironmentMark name={ref.environment} />
            </>
          }
          actions={<Actions secret={found.secret} />}
        >
          <Box mb={warningOf(found.secret.key) ? 'md' : 0}>
            <NameWarning name={found.secret.key} />
          </Box>
          <Columns>
            <Stack>
              <Details {...found} />
              <Reading {...found.secret} />
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

const Actions = ({ secret }: { secret: Secret }) => {
  const { can } = useRole();
  if (!can('editor')) return null;
  return (
    <>
      <Button onClick={() => openNewValue(secret)}>New value</Button>
      <SecretMenu secret={secret} />
    </>
  );
};

const Details = ({ secret, lastRead }: SecretDetails) => {
  const { can } = useRole();
  const open = () => openTags({ secrets: [secret], change: 'set' });
  return (
    <Panel title="Details" actions={can('editor') && <RowButton onClick={open}>Edit the tags</RowButton>}>
      <Facts>
        <Fact name="Tags">{secret.tags.length > 0 ? <Tags tags={secret.tags} shown={50} /> : undefined}</Fact>
        <Fact name="Last read">
          <LastRead lastRead={lastRead} createdAt={secret.createdAt} />
        </Fact>
        <Fact name="Changed">
          <When at={secret.changedAt} /> by {secret.changedBy}
        </Fact>
        <Fact name="Created">
          <When at={secret.createdAt} /> by {secret.createdBy}
        </Fact>
        <Fact name="Id">
          <span className="cv-mono">{secret.secretId}</span>
        </Fact>
        <Fact name="Audit">
          <TextLink to="/audit" search={{ kind: 'change', subject: secret.secretId }}>
            its changes
          </TextLink>
          ,{' '}
          <TextLink to="/audit" search={{ kind: 'read', subject: secret.secretId }}>
            its reads
          </TextLink>
        </Fact>
      </Facts>
    </Panel>
  );
};

const Reading = ({ environment, key }: Secret) => {
  const { config } = useSession();
  return (
    <Panel title="How an application reads it">
      <CodeBlock
        text={secretsCurl(config.apiUrl, { ...inAddress(environment), key })}
        label="the curl command"
      />
    </Panel>
  );
};

const SecretMenu = ({ secret }: { secret: Secret }) => {
  const navigate = useNavigate();
  return (
    <DeleteMenu
      kind="secret"
      name={secret.key}
      remove={() => deleteSecret(secret)}
      leave={() => navigate({ to: '/secrets' })}
      affected={<RecentReaders secret={secret} outcome="no longer get it" />}
      text={
        <>
          Reads no longer return <strong className="cv-break">{secret.key}</strong>. It can be restored with
          its values for {LIMITS.restoreDays} days.
        </>
      }
    />
  );
};

/** Shown instead of a secret that does not exist; restores it if possible. */
const MissingSecret = (secret: SecretRef) => {
  const navigate = useNavigate();
  return (
    <DeletedNotice
      kind="secret"
      query={useQuery(deletedSecretQuery(secret))}
      nameOf={({ key }) => key}
      restore={(confirmed) => restoreSecret(secret, confirmed)}
      show={() => navigate({ to: '.', search: true })}
      list={
        <TextLink to="/secrets/deleted" search={inAddress(secret.environment)}>
          Deleted secrets
        </TextLink>
      }
    />
  );
};
