import { Box, Button, Stack, Text } from '@mantine/core';
import { IconLockPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRole, useSession } from '../../api/session-context.tsx';
import { formByNeed } from '../../components/by-need.tsx';
import { CodeBlock } from '../../components/code/code-block.tsx';
import { CopyIcon } from '../../components/code/copy-button.tsx';
import { secretsCurl } from '../../components/code/snippet-texts.ts';
import { openDialog } from '../../components/dialogs/dialog.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { Screen } from '../../components/layout/screen.tsx';
import { TextLink } from '../../components/link.tsx';
import { QueryBoundary } from '../../components/states.tsx';
import { Tags } from '../../components/tags.tsx';
import { When } from '../../components/when.tsx';
import { LastRead } from './list/secrets-columns.tsx';
import { MissingSecret } from './missing-secret.tsx';
import { NameWarning, warningOf } from './name-warning.tsx';
import { Readers } from './readers.tsx';
import { pollingOf } from './rotation/rotation.ts';
import { RotationPanel } from './rotation/rotation-panel.tsx';
import { SecretMenu } from './secret-menu.tsx';
import { type Secret, type SecretDetails, secretQuery } from './secret-queries.ts';
import classes from './secret-screen.module.css';
import { TagsForm } from './tags-form.tsx';
import { SecretValues } from './values/secret-values.tsx';

const ValueForm = formByNeed('value-form', async () => (await import('./values/value-form.tsx')).ValueForm);

const route = getRouteApi('/secrets/$secretId');

/** One secret: its details, and the values that it can be rolled back to. */
export const SecretScreen = () => {
  const { secretId } = route.useParams();
  const details = useQuery({
    ...secretQuery(secretId),
    refetchInterval: ({ state }) => pollingOf(state.data, Date.now()),
  });
  return (
    <QueryBoundary query={details} missing={<MissingSecret secretId={secretId} />}>
      {(found) => (
        <Screen
          title={found.secret.key}
          above={<TextLink to="/secrets">Secrets</TextLink>}
          beside={<CopyIcon text={found.secret.key} label="the key" />}
          actions={<Actions secret={found.secret} />}
        >
          <Box mb={warningOf(found.secret.key) ? 'md' : 0}>
            <NameWarning name={found.secret.key} />
          </Box>
          <div className={classes.columns}>
            <Stack gap="md">
              <Facts {...found} />
              <Reading secretKey={found.secret.key} />
            </Stack>
            <Stack gap="md">
              <RotationPanel {...found} />
              <SecretValues {...found} />
              <Readers {...found} />
            </Stack>
          </div>
        </Screen>
      )}
    </QueryBoundary>
  );
};

const Actions = ({ secret }: { secret: Secret }) => {
  const { can } = useRole();
  if (!can('editor')) return null;
  const open = () =>
    openDialog({
      title: `New value of ${secret.key}`,
      holdsInput: true,
      content: <ValueForm secret={secret} />,
    });
  return (
    <>
      <Button size="xs" onClick={open} leftSection={<IconLockPlus size={15} aria-hidden />}>
        New value
      </Button>
      <SecretMenu secret={secret} />
    </>
  );
};

const Facts = ({ secret, lastRead }: SecretDetails) => {
  const { can } = useRole();
  const open = () => openDialog({ title: `Tags of ${secret.key}`, content: <TagsForm secret={secret} /> });
  return (
    <Panel
      title="Details"
      actions={
        can('editor') && (
          <Button variant="default" size="compact-xs" onClick={open}>
            Edit the tags
          </Button>
        )
      }
    >
      <dl className={classes.facts}>
        <dt>Tags</dt>
        <dd>{secret.tags.length === 0 ? <Dimmed>none</Dimmed> : <Tags tags={secret.tags} shown={50} />}</dd>
        <dt>Last read</dt>
        <dd>
          <LastRead lastRead={lastRead} />
        </dd>
        <dt>Changed</dt>
        <dd>
          <When at={secret.changedAt} /> by {secret.changedBy}
        </dd>
        <dt>Created</dt>
        <dd>
          <When at={secret.createdAt} /> by {secret.createdBy}
        </dd>
        <dt>Id</dt>
        <dd className="cv-mono">{secret.secretId}</dd>
        <dt>Audit</dt>
        <dd>
          <TextLink to="/audit" search={{ kind: 'change', subject: secret.secretId }} size="sm">
            its changes
          </TextLink>
          ,{' '}
          <TextLink to="/audit" search={{ kind: 'read', subject: secret.secretId }} size="sm">
            its reads
          </TextLink>
        </dd>
      </dl>
    </Panel>
  );
};

const Dimmed = ({ children }: { children: string }) => (
  <Text span inherit c="dimmed">
    {children}
  </Text>
);

const Reading = ({ secretKey }: { secretKey: string }) => {
  const { config } = useSession();
  return (
    <Panel title="How an application reads it">
      <CodeBlock text={secretsCurl(config.apiUrl, { key: secretKey })} label="the curl command" />
    </Panel>
  );
};
