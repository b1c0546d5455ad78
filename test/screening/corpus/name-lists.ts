/** Given and family names that are usual in several countries, and how people there combine them. */
export interface NameList {
  readonly country: string;
  readonly given: readonly string[];
  readonly family: readonly string[];
  /** G: a given name, F: a family name, P: the father's given name. */
  readonly patterns: readonly string[];
}

function list(country: string, patterns: string, given: string, family: string): NameList {
  return { country, patterns: patterns.split(' '), given: given.split(' '), family: family.split(' ') };
}

export const nameLists: readonly NameList[] = [
  list(
    'MX',
    'GFF GGFF GFF',
    'José Juan Luis Francisco Jesús Miguel Alejandro Daniel Ricardo Fernando Eduardo Óscar Gerardo Rubén Héctor Ángel Adrián Iván María Guadalupe Verónica Rosa Leticia Gabriela Alejandra Mónica Araceli Ximena Fernanda Valeria',
    'Hernández García Martínez López González Pérez Rodríguez Sánchez Ramírez Cruz Flores Gómez Morales Vázquez Reyes Jiménez Torres Díaz Gutiérrez Ruiz Mendoza Aguilar Ortiz Moreno Castillo Romero Álvarez Méndez Chávez Rivera Juárez Domínguez Bautista Velázquez Ibarra Zavala',
  ),
  list(
    'CO',
    'GFF GGFF GF',
    'Carlos Andrés Jorge Julián Sebastián Santiago Camilo Felipe Mauricio Hernán Wilson Jairo Fabián Diana Paola Marcela Liliana Adriana Natalia Catalina Luisa Ángela Yesenia Viviana Camila Mariana Nelson Édgar',
    'Rodríguez Gómez González Martínez García López Hernández Sánchez Ramírez Pérez Díaz Muñoz Rojas Moreno Jiménez Vargas Castro Gutiérrez Ortiz Álvarez Quintero Restrepo Ospina Cardona Giraldo Zapata Bedoya Arango Montoya Agudelo Cárdenas Guerrero',
  ),
  list(
    'US',
    'GF GGF GF',
    'James Mary Robert Patricia Jennifer Linda David Elizabeth William Barbara Richard Susan Joseph Jessica Thomas Karen Christopher Sarah Daniel Nancy Matthew Lisa Anthony Ashley Kevin Brian Emily Tyler Megan Brandon Kayla Justin',
    'Smith Johnson Williams Brown Jones Miller Davis Wilson Anderson Taylor Thomas Moore Jackson Martin Thompson White Harris Clark Lewis Robinson Walker Young Allen King Wright Scott Hill Green Adams Nelson Baker Hall Campbell Mitchell Carter Roberts',
  ),
  list(
    'DE',
    'GF GF GGF',
    'Hans Peter Michael Thomas Andreas Wolfgang Klaus Jürgen Günter Stefan Christian Markus Matthias Ursula Monika Petra Sabine Renate Helga Karin Brigitte Ingrid Birgit Anja Lukas Leon Finn Hannah Lea Jonas',
    'Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Schäfer Koch Bauer Richter Klein Wolf Schröder Neumann Schwarz Zimmermann Braun Krüger Hofmann Hartmann Lange Werner Krause Lehmann Köhler Maier',
  ),
  list(
    'FR',
    'GF GF GGF',
    'Jean Pierre Michel André Philippe Alain Bernard Jacques Daniel Patrick Nicolas Christophe Laurent Marie Nathalie Isabelle Sylvie Catherine Martine Christine Françoise Valérie Sandrine Camille Léa Manon Thibault Guillaume Mathieu',
    'Martin Bernard Dubois Thomas Robert Richard Petit Durand Leroy Moreau Simon Laurent Lefebvre Michel Garcia David Bertrand Roux Vincent Fournier Morel Girard André Mercier Dupont Lambert Bonnet François Martinez Legrand',
  ),
  list(
    'IT',
    'GF GF',
    'Giuseppe Giovanni Antonio Mario Luigi Francesco Angelo Vincenzo Pietro Salvatore Carlo Franco Domenico Bruno Maria Anna Rosa Angela Giovanna Teresa Lucia Carmela Caterina Francesca Chiara Giulia Matteo Lorenzo',
    'Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Bruno Gallo Conti DeLuca Mancini Costa Giordano Rizzo Lombardi Moretti Barbieri Fontana Santoro Mariani Rinaldi Caruso Ferrara Galli Martini Leone',
  ),
  list(
    'RU',
    'GF GPF GF',
    'Александр Сергей Дмитрий Андрей Алексей Максим Евгений Иван Михаил Артём Николай Павел Антон Роман Денис Игорь Олег Вадим Анна Елена Ольга Наталья Екатерина Татьяна Ирина Светлана Юлия Дарья Полина Ксения',
    'Иванов Смирнов Кузнецов Попов Васильев Петров Соколов Михайлов Новиков Фёдоров Морозов Волков Алексеев Лебедев Семёнов Егоров Павлов Козлов Степанов Николаев Орлов Андреев Макаров Никитин Захаров Зайцев Соловьёв Борисов Яковлев Григорьев',
  ),
  list(
    'UA',
    'GF GF',
    'Oleksandr Serhii Andrii Volodymyr Mykola Vasyl Yurii Viktor Ivan Petro Bohdan Taras Roman Oleh Maksym Iryna Olena Nataliia Oksana Svitlana Tetiana Liudmyla Halyna Mariia Yuliia Kateryna Anastasiia Daryna',
    'Melnyk Shevchenko Boyko Kovalenko Bondarenko Tkachenko Kovalchuk Kravchenko Oliynyk Shevchuk Koval Polishchuk Bondar Tkachuk Moroz Marchenko Lysenko Rudenko Savchenko Petrenko Kravchuk Klymenko Ponomarenko Savchuk Vasylenko Hrytsenko Panchenko Karpenko',
  ),
  list(
    'TR',
    'GF GGF GF',
    'Mehmet Mustafa Ahmet Ali Hüseyin Hasan İbrahim İsmail Osman Yusuf Murat Ömer Ramazan Halil Süleyman Emre Burak Fatma Ayşe Emine Hatice Zeynep Elif Meryem Şerife Zehra Sultan Hanife Merve Büşra',
    'Yılmaz Kaya Demir Çelik Şahin Yıldız Yıldırım Öztürk Aydın Özdemir Arslan Doğan Kılıç Aslan Çetin Kara Koç Kurt Özkan Şimşek Polat Korkmaz Çakır Erdoğan Akın Bulut Güneş Avcı Taş Aktaş',
  ),
  list(
    'EG',
    'GPF GPPF GF',
    'Mohamed Ahmed Mahmoud Mostafa Youssef Omar Ali Hassan Hussein Ibrahim Khaled Amr Karim Tarek Sherif Hany Ayman Wael Fatma Aya Mariam Nour Sara Heba Dina Mona Rania Yasmine Salma Amira',
    'Hassan Mohamed Ali Ibrahim Mahmoud Sayed Abdelrahman Abdallah Mansour Farouk Shawky Gamal Fathy Eldin Nasser Soliman Salem Ramadan Helmy Kamel Zaki Darwish Ghoneim Shaheen Elmasry Tawfik Hegazy Morsi Badawy Sabry',
  ),
  list(
    'PK',
    'GF GGF GGF',
    'Muhammad Ali Ahmed Hassan Usman Bilal Imran Kamran Asif Tariq Shahid Zahid Nadeem Faisal Adnan Waqas Fatima Ayesha Zainab Sana Maryam Hina Nadia Rabia Saima Bushra Shazia Farah Amna Iqra',
    'Khan Ahmed Ali Hussain Malik Butt Chaudhry Sheikh Qureshi Siddiqui Akhtar Iqbal Javed Mahmood Raza Shah Mirza Baig Bhatti Rana Awan Ansari Hashmi Abbasi Khokhar Gondal Cheema Warraich Memon Soomro',
  ),
  list(
    'IN',
    'GF GGF GF',
    'Rajesh Sunil Amit Sanjay Vijay Anil Ramesh Suresh Rahul Ravi Manoj Deepak Vikram Arjun Karthik Priya Anjali Sunita Kavita Pooja Neha Lakshmi Meena Divya Sneha Anita Rekha Swati Nisha Ritu',
    'Sharma Patel Kumar Singh Gupta Reddy Nair Iyer Menon Rao Joshi Mehta Shah Desai Verma Mishra Pandey Yadav Chauhan Agarwal Banerjee Mukherjee Chatterjee Das Bose Pillai Naidu Kulkarni Patil Shetty',
  ),
  list(
    'NG',
    'GF GGF GF',
    'Chinedu Emeka Ngozi Chioma Ifeanyi Obinna Uche Adaeze Tunde Olumide Segun Femi Yetunde Folake Bola Sade Musa Ibrahim Aisha Fatima Abubakar Sani Umar Zainab Blessing Grace Emmanuel Samuel Victoria Joy',
    'Okafor Okonkwo Eze Nwosu Obi Okeke Nwachukwu Onyeka Adeyemi Adebayo Ogunleye Balogun Afolabi Olawale Ojo Bello Mohammed Abdullahi Yusuf Suleiman Garba Lawal Danjuma Effiong Bassey Etim Igwe Chukwu Oladipo Akinola',
  ),
  list(
    'PH',
    'GFF GGF GF',
    'Jose Maria Mark John Angelo Christian Joshua Jayson Michael Ronald Rowena Marites Jocelyn Analyn Maricel Cristina Rosalie Grace Mary Joy Angelica Kristine Jerome Rodel Arnel Reynaldo Danilo Ernesto Lourdes Teresita',
    'Santos Reyes Cruz Bautista Ocampo Garcia Mendoza Torres Tomas Andrada Castillo Flores Villanueva Ramos Castro Rivera Aquino Navarro Salazar Mercado Dizon Manalo Pangilinan Magsaysay Dimaculangan Soriano Valdez Pascual Aguilar Domingo',
  ),
  list(
    'VN',
    'FGG FGG FG',
    'Văn Thị Minh Đức Anh Tuấn Hùng Dũng Hải Nam Long Quang Hương Lan Mai Hoa Thảo Linh Trang Ngọc Phương Thanh Hà Yến Khánh Bảo Trung Sơn Việt Nhung',
    'Nguyễn Trần Lê Phạm Huỳnh Hoàng Phan Vũ Võ Đặng Bùi Đỗ Hồ Ngô Dương Lý Đinh Trịnh Lương Cao',
  ),
  list(
    'CN',
    'FG FG FGG',
    'Wei Fang Xiuying Na Min Jing Li Qiang Lei Yang Jun Yong Jie Juan Tao Ming Chao Xiulan Xia Ping Gang Guiying Haoran Zihan Yuxuan Mengyao Jianguo Xiaohong Zhiqiang Lihua',
    'Wang Li Zhang Liu Chen Yang Huang Zhao Wu Zhou Xu Sun Ma Zhu Hu Guo He Lin Gao Luo Zheng Liang Xie Song Tang Deng Han Feng Cao Peng',
  ),
  list(
    'BR',
    'GFF GGF GF',
    'José João Antônio Francisco Carlos Paulo Pedro Lucas Luiz Marcos Rafael Gustavo Thiago Vinícius Maria Ana Francisca Antônia Adriana Juliana Márcia Fernanda Patrícia Aline Camila Beatriz Larissa Letícia Rodrigo Felipe',
    'Silva Santos Oliveira Souza Rodrigues Ferreira Alves Pereira Lima Gomes Costa Ribeiro Martins Carvalho Almeida Lopes Soares Fernandes Vieira Barbosa Rocha Dias Nascimento Andrade Moreira Nunes Marques Machado Mendes Freitas',
  ),
  list(
    'MA',
    'GF GF GGF',
    'Mohammed Youssef Hamza Mehdi Ayoub Omar Rachid Hicham Said Abdelkader Abdellah Driss Noureddine Khadija Fatima Zineb Salma Imane Hajar Meryem Asmae Ghita Kawtar Loubna Najat Samira Brahim Anas',
    'Alaoui Benali Idrissi Tazi Bennani Berrada Chraibi Fassi Lahlou Filali Amrani Ouazzani Haddad Mansouri Naciri Sebti Kabbaj Slaoui Tahiri Zouhairi Belhaj Elamrani Bouzid Cherkaoui Rahmani Ziani Jabri Hamdaoui',
  ),
  list(
    'KE',
    'GGF GF GGF',
    'John Peter James Joseph David Samuel Daniel Stephen Paul Mary Jane Grace Faith Mercy Esther Ruth Lucy Anne Brian Kevin Dennis Collins Evans Hellen Joyce Beatrice Caroline Winnie Purity Sharon',
    'Kamau Mwangi Njoroge Kariuki Maina Otieno Ochieng Odhiambo Onyango Omondi Wanjiku Wambui Njeri Akinyi Achieng Kiprotich Cheruiyot Koech Rotich Kiplagat Mutua Musyoka Mutiso Wafula Barasa Simiyu Wekesa Juma Abdi Hassan',
  ),
  list(
    'PL',
    'GF GF',
    'Jan Stanisław Andrzej Józef Tadeusz Jerzy Zbigniew Krzysztof Piotr Tomasz Paweł Marcin Michał Anna Maria Katarzyna Małgorzata Agnieszka Barbara Ewa Krystyna Elżbieta Joanna Zofia Magdalena Jakub Szymon Wojciech',
    'Nowak Kowalski Wiśniewski Wójcik Kowalczyk Kamiński Lewandowski Zieliński Szymański Woźniak Dąbrowski Kozłowski Jankowski Mazur Kwiatkowski Krawczyk Kaczmarek Piotrowski Grabowski Zając Pawłowski Michalski Król Wieczorek Jabłoński Wróbel Nowakowski Majewski Olszewski Stępień',
  ),
];
