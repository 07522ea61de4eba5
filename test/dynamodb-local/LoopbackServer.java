import com.amazonaws.services.dynamodbv2.local.server.DynamoDBProxyServer;
import com.amazonaws.services.dynamodbv2.local.server.LocalDynamoDBRequestHandler;
import com.amazonaws.services.dynamodbv2.local.server.LocalDynamoDBServerHandler;
import java.net.InetSocketAddress;
import org.eclipse.jetty.server.Server;

/** DynamoDB Local in memory on the loopback interface; its own main class listens on every interface. */
public class LoopbackServer {
  public static void main(String[] args) throws Exception {
    var requests = new LocalDynamoDBRequestHandler(0, true, null, false, false);
    var handler = new LocalDynamoDBServerHandler(requests, null);
    var server = new Server(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])));
    server.setHandler(new DynamoDBProxyServer(0, handler).setUpHandler(handler));
    server.start();
    System.in.read();
    System.exit(0);
  }
}
