/** Drives the Java SDK: reads one call a line from standard input, and answers each with a line of what the SDK sent, heard and made of it. */

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.maxio.advancedbilling.AdvancedBillingClient;
import com.maxio.advancedbilling.ApiHelper;
import com.maxio.advancedbilling.authentication.BasicAuthModel;
import com.maxio.advancedbilling.exceptions.ApiException;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okio.Buffer;

public class Driver {
    private static final ObjectMapper json = new ObjectMapper();
    private static final Map<String, Method> operations = new LinkedHashMap<>();
    private static final Map<String, Object> controllers = new LinkedHashMap<>();
    private static ObjectNode exchange = json.createObjectNode();

    public static void main(String[] args) throws Exception {
        AdvancedBillingClient client = new AdvancedBillingClient.Builder()
                .site(System.getenv("SUBDOMAIN"))
                .basicAuthCredentials(new BasicAuthModel.Builder(System.getenv("API_KEY"), "X").build())
                .httpClientConfig(http -> http.httpClientInstance(toOurPort(), true).numberOfRetries(0).timeout(120))
                .build();
        for (Method getter : AdvancedBillingClient.class.getMethods()) {
            if (!getter.getName().endsWith("Controller")) continue;
            Object controller = getter.invoke(client);
            for (Method method : controller.getClass().getDeclaredMethods()) {
                if (!Modifier.isPublic(method.getModifiers()) || method.getName().endsWith("Async")) continue;
                operations.put(method.getName(), method);
                controllers.put(method.getName(), controller);
            }
        }
        ObjectNode known = json.createObjectNode();
        operations.keySet().forEach(name -> known.withArray("operations").add(name));
        System.out.println(known);
        BufferedReader calls = new BufferedReader(new InputStreamReader(System.in));
        for (String line = calls.readLine(); line != null; line = calls.readLine()) {
            System.out.println(run(json.readTree(line)));
        }
        System.exit(0);
    }

    private static JsonNode run(JsonNode call) {
        String name = call.get("operation").asText();
        exchange = json.createObjectNode();
        if (!operations.containsKey(name)) return exchange.put("outcome", "unknown");
        try {
            Method method = operations.get(name);
            Object result = method.invoke(controllers.get(name), typed(method, (ObjectNode) call.get("arguments")));
            exchange.set("typed", result == null ? null : json.readTree(ApiHelper.serialize(result)));
            return exchange.put("outcome", "read");
        } catch (InvocationTargetException thrown) {
            Throwable error = thrown.getCause();
            String outcome = error instanceof ApiException ? "refused" : exchange.has("status") ? "unreadable" : "unsendable";
            return exchange.put("outcome", outcome).put("error", error.toString());
        } catch (Exception error) {
            return exchange.put("outcome", "unsendable").put("error", error.toString());
        }
    }

    /** The arguments in their order, each as the class that the method takes; lists take one object with all of them. */
    private static Object[] typed(Method method, ObjectNode given) throws IOException {
        Type[] types = method.getGenericParameterTypes();
        boolean takesInput = types.length == 1 && method.getParameterTypes()[0].getSimpleName().endsWith("Input");
        List<Object> made = new ArrayList<>();
        if (takesInput) {
            ObjectNode named = json.createObjectNode();
            given.fields().forEachRemaining(one -> {
                if (!one.getValue().isNull()) named.set(snake(one.getKey()), one.getValue());
            });
            made.add(as(types[0], named));
        } else {
            List<JsonNode> values = new ArrayList<>();
            given.elements().forEachRemaining(values::add);
            for (int place = 0; place < types.length; place++) {
                made.add(place < values.size() ? as(types[place], values.get(place)) : null);
            }
        }
        return made.toArray();
    }

    private static Object as(Type type, JsonNode value) throws IOException {
        JavaType wanted = ApiHelper.getMapper().getTypeFactory().constructType(type);
        if (value.isNull() && !wanted.isPrimitive()) return null;
        if (wanted.getRawClass() == String.class) return value.asText();
        return ApiHelper.getMapper().readValue(value.toString(), wanted);
    }

    private static String snake(String name) {
        return name.replaceAll("(?<!^)(?=[A-Z])", "_").toLowerCase();
    }

    /** Leads every request to our port, with the Host header as the SDK means it, and keeps the exchange. */
    private static OkHttpClient toOurPort() {
        try {
            X509TrustManager trust = trustIn(System.getenv("CERTIFICATE_FILE"));
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(null, new X509TrustManager[] {trust}, null);
            return new OkHttpClient.Builder().sslSocketFactory(tls.getSocketFactory(), trust).addInterceptor(Driver::pass).build();
        } catch (Exception error) {
            throw new IllegalStateException(error);
        }
    }

    private static Response pass(Interceptor.Chain chain) throws IOException {
        Request asked = chain.request();
        HttpUrl ours = asked.url().newBuilder().host("localhost").port(Integer.parseInt(System.getenv("PORT"))).build();
        Buffer body = new Buffer();
        if (asked.body() != null) asked.body().writeTo(body);
        Response answer = chain.proceed(asked.newBuilder().url(ours).header("Host", asked.url().host()).build());
        String query = ours.encodedQuery() == null ? "" : "?" + ours.encodedQuery();
        exchange.put("method", asked.method()).put("path", ours.encodedPath() + query).put("status", answer.code());
        exchange.set("sent", tree(body.readUtf8()));
        exchange.set("raw", tree(answer.peekBody(Long.MAX_VALUE).string()));
        return answer;
    }

    private static JsonNode tree(String text) {
        try {
            return text.isBlank() ? null : json.readTree(text);
        } catch (IOException error) {
            return json.getNodeFactory().textNode(text);
        }
    }

    private static X509TrustManager trustIn(String file) throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (FileInputStream pem = new FileInputStream(file)) {
            store.setCertificateEntry("ours", CertificateFactory.getInstance("X.509").generateCertificate(pem));
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return (X509TrustManager) Arrays.stream(factory.getTrustManagers()).findFirst().orElseThrow();
    }
}
