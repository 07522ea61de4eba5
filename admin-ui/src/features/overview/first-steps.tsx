import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { overviewGet } from '../../../../contract/endpoints/service.ts';
import type { ReplyOf } from '../../api/client.ts';
import { useSession } from '../../api/session-context.tsx';
import { ButtonLink, Muted, Panel, Step } from '../../components/basics.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { ActionButton, notifyDone } from '../../components/dialogs.tsx';
import { curlSnippet, secretsCurl } from '../../components/snippet-texts.ts';
import { ForRole } from '../../components/states.tsx';
import { examplePromptQuery } from '../api-keys/key-queries.ts';
import { openNewKey } from '../api-keys/new-key-dialog.tsx';
import { makeSamples } from './samples.ts';

/** What is left to do until an application has fetched something. */
export const FirstSteps = ({ totals }: Pick<ReplyOf<typeof overviewGet>, 'totals'>) => {
  const hasContent = totals.prompts + totals.secrets > 0;
  return (
    <Panel title="Get started">
      <ol className="cv-list cv-rows">
        <Step isDone={hasContent}>
          <Title>Write a prompt, or import the secrets of a .env file</Title>
          {!hasContent && (
            <ForRole needs="editor" to="do this">
              <Group>
                <ButtonLink to="/prompts/new">Write a prompt</ButtonLink>
                <ButtonLink to="/secrets/import" variant="default">
                  Import a .env file
                </ButtonLink>
                <ActionButton action={() => makeSamples().then(() => notifyDone('The samples are added.'))}>
                  Add the samples
                </ActionButton>
              </Group>
            </ForRole>
          )}
        </Step>
        <Step isDone={totals.ownKeys > 0}>
          <Title>Create an API key for your application</Title>
          {totals.ownKeys === 0 && (
            <ForRole needs="admin" to="do this">
              <Button onClick={() => openNewKey()}>Create an API key</Button>
            </ForRole>
          )}
        </Step>
        <Step isDone={false}>
          <Title>Make the first call</Title>
          {hasContent && (
            <>
              <Text mb={4}>
                Set <code>CUEVAULT_API_KEY</code> to the API key, then run this in a shell:
              </Text>
              <FirstCall hasPrompt={totals.prompts > 0} />
            </>
          )}
          <Muted>These steps disappear once an application has fetched something.</Muted>
        </Step>
      </ol>
    </Panel>
  );
};

const Title = Text.withProps({ fw: 600, mb: 4 });

const FirstCall = ({ hasPrompt }: { hasPrompt: boolean }) => {
  const { apiUrl } = useSession().config;
  const { data } = useQuery({ ...examplePromptQuery([]), enabled: hasPrompt });
  const text = hasPrompt ? data && curlSnippet({ apiUrl, ...data }) : secretsCurl(apiUrl, {});
  return text && <CodeBlock text={text} label="the first call" />;
};
