import * as iam from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Stack, Validations } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';

/** The sentence that names the section of an alarm in the runbook. */
export const runbook = (id: string): string => `See docs/operations.md#${id}.`;

/**
 * The topic of everything that somebody must do something about: alarms, jobs that failed, and changes of what protects
 * the data. Add your own subscriptions to it. `email`: whom it is mailed to; undefined: nobody.
 */
export const newTopic = (scope: Construct, id: string, email: string | undefined): Topic => {
  const topic = new Topic(scope, id, { enforceSSL: true });
  // With its own policy, a topic no longer accepts what its account publishes; the policy must allow CloudWatch. The rules
  // of EventBridge add their own statement: EventBridge supports no conditions here.
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
