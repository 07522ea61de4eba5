import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { CustomResource, Duration, Validations } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Job as JobDefinition } from '../../contract/functions/jobs.ts';
import { Operation, type OperationProps } from './operation.ts';

/** An operation that a schedule invokes and, if its definition says so, each deployment too. */
export class Job extends Operation {
  constructor(scope: Construct, definition: JobDefinition, props: OperationProps) {
    super(scope, definition, props);
    const rule = new Rule(this, 'Schedule', {
      description: `${definition.id}, every ${definition.everyMinutes} minutes`,
      schedule: Schedule.rate(Duration.minutes(definition.everyMinutes)),
      targets: [new LambdaFunction(this.function)],
    });
    Validations.of(rule).acknowledge({
      id: 'Serverless-EventBusDLQ',
      reason: 'A scheduled event contains no data, and the next one does the same work.',
    });
    const created = definition.creates === undefined ? [] : [this.#create(definition.creates)];
    if (definition.afterDeployment) this.runAfterDeployment(...created);
  }

  // CloudFormation invokes the function when it creates the stack, and the deployment fails if the function fails.
  #create(resourceType: string): CustomResource {
    return new CustomResource(this, 'Created', { serviceToken: this.function.functionArn, resourceType });
  }
}
