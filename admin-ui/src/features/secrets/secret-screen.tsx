import { Box, Button, SimpleGrid, Stack } from '@mantine/core';
import { IconLockPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRole, useSession } from '../../api/session-context.tsx';
import { formByNeed } from '../../components/by-need.tsx';
import { CodeBlock } from '../../components/code/code-block.tsx';
import { CopyIcon } from '../../components/code/copy-button.tsx';
import { secretsCurl } from '../../components/code/snippet-texts.ts';
import { openDialog } from '../../components/dialogs/dialog.tsx';
import { Fact, Facts } from '../../components/layout/facts.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { Screen } from '../../components/layout/screen.tsx';
import { TextLink } from '../../components/link.tsx';
import { RowButton } from '../../components/small.tsx';
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
import { TagsForm } from './tags-form.tsx';
import { SecretValues } from './values/secret-values.tsx';

const ValueForm = formByNeed('value-form', () => import('./values/value-form.tsx'));

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
          <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: 'start' }}>
            <Stack gap="md">
              <Details {...found} />
              <Reading secretKey={found.secret.key} />
            </Stack>
            <Stack gap="md">
              <RotationPanel {...found} />
              <SecretValues {...found} />
              <Readers {...found} />
            </Stack>
          </SimpleGrid>
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
      <Button onClick={open} leftSection={<IconLockPlus size={15} aria-hidden />}>
        New value
      </Button>
      <SecretMenu secret={secret} />
    </>
  );
};

const Details = ({ secret, lastRead }: SecretDetails) => {
  const { can } = useRole();
  const open = () => openDialog({ title: `Tags of ${secret.key}`, content: <TagsForm secret={secret} /> });
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
          <TextLink to="/audit" search={{ kind: 'change', subject: secret.secretId }} size="sm">
            its changes
          </TextLink>
          ,{' '}
          <TextLink to="/audit" search={{ kind: 'read', subject: secret.secretId }} size="sm">
            its reads
          </TextLink>
        </Fact>
      </Facts>
    </Panel>
  );
};

const Reading = ({ secretKey }: { secretKey: string }) => {
  const { config } = useSession();
  return (
    <Panel title="How an application reads it">
      <CodeBlock text={secretsCurl(config.apiUrl, { key: secretKey })} label="the curl command" />
    </Panel>
  );
};
