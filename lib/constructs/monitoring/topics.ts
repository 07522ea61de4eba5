import * as iam from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Stack, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';

/** `page` needs someone now, `notice` on the next working day. */
export type Severity = 'page' | 'notice';

/** The sentence that names the section of an alarm in the runbook. */
export const runbook = (id: string): string => `See docs/operations.md#${id}.`;

/** The topics that alarms are published to, one for each severity. Add your own subscriptions to them. */
export type Topics = Readonly<Record<Severity, Topic>>;

/**
 * Makes the topics. `addresses`: whom alarms of each severity are mailed to; undefined: nobody, unless you add a
 * subscription.
 */
export const newTopics = (
  parent: Construct,
  addresses: Readonly<Record<Severity, string | undefined>>,
): Topics => {
  const scope = new Construct(parent, 'Topics');
  const mailTo = (id: string, email: string | undefined): Topic => {
    const topic = new Topic(scope, id, { enforceSSL: true });
    // With its own policy, a topic no longer accepts what its account publishes; the policy must allow CloudWatch.
    // The rules of EventBridge add their own statement: EventBridge supports no conditions here.
    topic.addToResourcePolicy(
      new iam.PolicyStatement({
        principals: [new iam.ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
      }),
    );
    if (email !== undefined) topic.addSubscription(new EmailSubscription(email));
    Validations.of(topic).acknowledge({
      id: 'Serverless-SNSRedrivePolicy',
      reason: 'Mail is the last resort: the console of CloudWatch also shows the state of every alarm.',
    });
    return topic;
  };
  return { page: mailTo('Pages', addresses.page), notice: mailTo('Notices', addresses.notice) };
};
